# One container, one process, one port. docs/DEPLOY.md says how to run it; `make prove` performs these steps without Docker.

FROM python:3.11-slim-bookworm AS build
WORKDIR /app
# Tools first, as `make setup` brings them: every package by the hash that the lock names, Node and bun among them.
COPY pyproject.toml README.md LICENSE requirements.lock requirements-serve.lock ./
COPY scripts/setup scripts/setup
COPY deeptrust/__init__.py deeptrust/__init__.py
RUN scripts/setup run
COPY . .
RUN .venv/bin/deeptrust bundle
# What serves: the packages without build tools, the models among them; `deeptrust` is a link to /app.
RUN python -m venv --without-pip /opt/deeptrust \
    && .venv/bin/uv pip sync --quiet --python /opt/deeptrust/bin/python --compile-bytecode requirements-serve.lock \
    && .venv/bin/hatchling build --target wheel:editable --directory /tmp/wheel \
    && .venv/bin/uv pip install --quiet --python /opt/deeptrust/bin/python --no-deps --offline /tmp/wheel/*.whl \
    && /opt/deeptrust/bin/python -m compileall -q deeptrust rxconfig.py \
    && chmod --recursive go-w /opt/deeptrust deeptrust assets .web/build .web/backend

FROM python:3.11-slim-bookworm AS serve
RUN useradd --uid 1000 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin deeptrust \
    && install --directory --owner=deeptrust --group=deeptrust --mode=0700 /data
COPY --from=build /opt/deeptrust /opt/deeptrust
WORKDIR /app
COPY --from=build /app/rxconfig.py /app/POLICY.md /app/requirements.lock /app/.build-stamp ./
COPY --from=build /app/reflex.lock reflex.lock
COPY --from=build /app/assets assets
COPY --from=build /app/deeptrust deeptrust
COPY --from=build /app/.web/backend .web/backend
COPY --from=build /app/.web/build .web/build
ENV PATH=/opt/deeptrust/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DEEPTRUST_MODE=hosted \
    DEEPTRUST_HOME=/data
USER 1000
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 3000, timeout=4); c.request('GET', '/api/health'); exit(c.getresponse().status != 200)"]
CMD ["deeptrust", "serve", "--host", "0.0.0.0", "--port", "3000"]
