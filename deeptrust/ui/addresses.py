"""The addresses of the pages."""

WORKSPACE = "/"
STUDY = "/study"
JOB = "/study/[job_id]"
SETTINGS = "/settings"


def job_address(job_id: str) -> str:
    """Return the address of one job's page."""
    return f"{STUDY}/{job_id}"


def job_of(path: str) -> str:
    """Return the id in the path of a job's page, or nothing where there is none."""
    head, _, job_id = path.rstrip("/").rpartition("/")
    return job_id if head == STUDY else ""
