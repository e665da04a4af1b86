# syntax=docker/dockerfile:1
FROM python:3.12-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src ./src
COPY integrations ./integrations
RUN python -m venv /opt/recollect \
    && /opt/recollect/bin/pip install --no-cache-dir --disable-pip-version-check ".[postgres]"

FROM python:3.12-slim
RUN useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin recollect \
    && install --directory --owner recollect --group recollect --mode 0700 /data
COPY --from=build /opt/recollect /opt/recollect
ENV PATH=/opt/recollect/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    RECOLLECT_DB=/data/memory.db \
    RECOLLECT_SERVE_HOST=0.0.0.0
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8377
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8377/healthz', timeout=4)"]
ENTRYPOINT ["recollect"]
CMD ["serve"]
