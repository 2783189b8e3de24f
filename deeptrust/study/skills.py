"""Names of skills with their spellings: what a posting calls Kubernetes, a resume may call k8s.

One line a skill: its name, then further spellings, separated by bars. A name in the second list is also a common
word or a letter, so its capitals count.
"""

import re
from collections.abc import Sequence
from functools import cache

_SKILLS = """
Kubernetes|k8s|kube
Docker|docker compose|docker-compose
containers|containerization|containerisation|containerized|container-basiert
Terraform|HCL
Ansible
Jenkins
GitHub Actions
GitLab CI|gitlab-ci|GitLab CI/CD
CI/CD|CI / CD|continuous integration|continuous delivery|continuous deployment|CICD
Helm charts|Helm
Prometheus
Grafana
Linux|Unix|Unix-like|RHEL|Debian|Ubuntu
Bash|shell scripting|shell scripts
AWS|Amazon Web Services|EC2|AWS Lambda
Azure|Microsoft Azure
Google Cloud|GCP|Google Cloud Platform
Python|Python3
JavaScript|ECMAScript|ES6
TypeScript
J2EE|Java EE
Kotlin
C++|cpp
C#|C-Sharp|CSharp
.NET|dotnet|ASP.NET|.NET Core
Golang
Ruby|Ruby on Rails
PHP|Laravel|Symfony
Scala
Elixir
Perl
MATLAB
Node.js|NodeJS|Node JS
React|React.js|ReactJS
Angular|AngularJS
Vue|Vue.js|VueJS
Next.js|NextJS
HTML|HTML5
CSS|CSS3|Sass
Django
Flask
FastAPI
Spring Boot|Spring Framework
GraphQL
REST APIs|REST API|RESTful|REST|RESTful APIs
microservices|micro-services|microservice architecture|Microservice
SQL|T-SQL|PL/SQL
PostgreSQL|Postgres
MySQL|MariaDB
SQL Server|SqlServer|MSSQL
Oracle Database|Oracle DB
MongoDB|Mongo
Redis
Elasticsearch|Elastic Search|OpenSearch
Cassandra
Kafka|Apache Kafka
RabbitMQ
Apache Spark|PySpark
Hadoop|HDFS
Airflow|Apache Airflow
dbt
Snowflake
BigQuery
Redshift
Databricks
ETL|ELT|ETL pipelines|data pipelines
data warehousing|data warehouse
Tableau
Power BI|PowerBI
Looker
pandas
NumPy
scikit-learn|sklearn
PyTorch
TensorFlow
machine learning|ML|maschinelles Lernen
deep learning
NLP|natural language processing
LLMs|large language models|LLM
computer vision|OpenCV
statistics|statistical analysis|Statistik
A/B testing|AB testing|A/B tests
data analysis|data analytics|Datenanalyse
data visualization|data visualisation
Git|version control|source control|distributed version control
Jira
Confluence
Agile|agile methodologies|agile development|agile methods|agile Methoden
Scrum|Scrum Master|CSM
Kanban
test-driven development|TDD
automated testing|test automation|Testautomatisierung|automated tests
Selenium
Cypress
Playwright
pytest
Figma
Sketch
Adobe Photoshop|Photoshop
Adobe Illustrator|Illustrator
user research|UX research|usability testing
UX design|user experience design|UX
accessibility|WCAG|Section 508|a11y|Barrierefreiheit
Salesforce|SFDC
Workday
SAP|SAP S/4HANA|S/4HANA|SAP ERP
ServiceNow
HubSpot
NetSuite
QuickBooks
DATEV
Microsoft Office|MS Office|MS-Office|Office 365|Microsoft 365
Microsoft Excel|MS Excel|Excel
PowerPoint
bookkeeping|Buchhaltung|Buchführung
accounts payable|AP|Kreditorenbuchhaltung
IFRS
US GAAP|GAAP
financial modeling|financial modelling
budgeting|budget planning
project management|Projektmanagement|Projektleitung
PMP|Project Management Professional
PRINCE2
product management|Produktmanagement
product roadmap|product roadmaps|roadmaps|roadmap
stakeholder management|stakeholder engagement
people management|line management|managing individuals|Personalführung|Mitarbeiterführung
mentoring|mentorship|coaching
cross-functional teams|cross functional teams|multidisciplinary teams|cross-functional team|multidisciplinary team
technical writing|documentation
public speaking
customer service|customer support|Kundenservice|Kundenbetreuung
SEO|search engine optimization
Google Analytics|GA4
content marketing
copywriting
social media
B2B sales|B2B-Vertrieb|B2B
CRM|customer relationship management
negotiation|negotiating|Verhandlungsgeschick
cybersecurity|cyber security|information security|INFOSEC|IT-Sicherheit|IT security
FedRAMP
NIST 800-53|NIST SP 800-53|NIST
ISO 27001
CISSP
SOC 2
FISMA
penetration testing|pentesting|pen testing
SIEM|Splunk
OAuth|OAuth2|OAuth 2.0|OIDC|OpenID Connect
SAML
networking|TCP/IP|network administration|Netzwerktechnik
VMware|vSphere
Active Directory
incident response|incident management
on-call
embedded systems|embedded software|eingebettete Systeme
FPGA|VHDL|Verilog
PLC|PLC programming|SPS|SPS-Programmierung
CAD|AutoCAD|SolidWorks
GDPR|DSGVO
HIPAA
patient care|Patientenversorgung|nursing care
first aid|Erste Hilfe
CPR
BLS|Basic Life Support
forklift|forklift licence|forklift license|Staplerschein|Gabelstaplerschein
driving licence|driver's license|driver's licence|driving license|drivers license|Führerschein
registered nurse|RN|RN license|Pflegefachkraft
HACCP
English|Englisch|Englischkenntnisse
German|Deutsch|Deutschkenntnisse
French|Französisch
Spanish|Spanisch
PhD|PhD degree|Ph.D.|doctorate|Promotion|Dr.-Ing.
Master's degree|Masters degree|MSc|M.Sc.|M.S.|MBA|Masterabschluss|Master of Science|Master of Arts|Diplom
Bachelor's degree|Bachelors degree|Bachelor|BSc|B.Sc.|B.S.|B.A.|BS degree|BA degree|Bachelorabschluss
university degree|degree|Hochschulabschluss|Studium|abgeschlossenes Studium|college degree
vocational training|abgeschlossene Ausbildung|Berufsausbildung|Ausbildung
""".strip().splitlines()

_SPELLED_SKILLS = (
    ("Java", r"(?i:java)(?![\w+#]|\s+(?i:script)|\s+EE\b)"),
    ("Go", r"Go(?=[ ,;.)/]|$)(?! (?:to|live|beyond|above|the|for|out|further)\b)|Golang|golang"),
    ("R", r"R(?=[ ,;)/]|\.(?:\s|$)|$)(?!&)"),
    ("C", r"C(?=[ ,;)/]|$)"),
    ("Rust", r"Rust"),
    ("Swift", r"Swift"),
)
_CASED = frozenset(
    "AP BLS CPR REST Elastic Sketch Helm Flask Scala Excel Looker Promotion Deutsch B.A. M.S. B.S. RN CSM SPS UX "
    "ML".split()
)

DEGREES = ("university degree", "Bachelor's degree", "Master's degree", "PhD")
"""From the least to the highest; the higher one includes the lower."""


@cache
def _patterns() -> Sequence[tuple[str, re.Pattern[str]]]:
    found = [(name, re.compile(rf"(?<![\w+#.&-])(?:{pattern})")) for name, pattern in _SPELLED_SKILLS]
    for line in _SKILLS:
        if line.startswith("Golang"):
            continue
        spellings = line.split("|")
        loose = "|".join(_spelling(one) for one in spellings if one not in _CASED)
        exact = "|".join(_spelling(one) for one in spellings if one in _CASED)
        body = "|".join(part for part in (f"(?i:{loose})" if loose else "", exact) if part)
        found.append((spellings[0], re.compile(rf"(?<![\w+#])(?<!\w[.])(?:{body})(?![\w+#])")))
    return found


def _spelling(name: str) -> str:
    return re.escape(name).replace(r"\ ", r"[\s-]+").replace("'", "['’]")


def skills_in(text: str) -> list[tuple[str, int, int]]:
    """Names of the skills in `text` with the place of each one's first mention, in the order of the text.

    A spelling inside a longer one is not counted twice: "SQL Server" is not also "SQL".
    """
    places = [(match.start(), match.end(), name) for name, pattern in _patterns() for match in pattern.finditer(text)]
    places.sort(key=lambda place: (place[0] - place[1], place[0]))
    taken: list[tuple[int, int]] = []
    first: dict[str, tuple[int, int]] = {}
    for start, end, name in places:
        if any(a <= start and end <= b for a, b in taken):
            continue
        taken.append((start, end))
        if name not in first or start < first[name][0]:
            first[name] = (start, end)
    return sorted(((name, start, end) for name, (start, end) in first.items()), key=lambda skill: skill[1])
