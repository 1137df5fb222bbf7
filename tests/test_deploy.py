"""What is in deploy/ fits together: there is no container engine here, so the files are read as it would.

Each mounted file exists, each port is the one that its process listens on, each name is that of a service.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml

from gateway import __version__
from gateway.settings import Settings
from upstream import ScriptedUpstream

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def read(name: str) -> Any:
    """Return a YAML file of deploy/."""
    return yaml.safe_load((DEPLOY / name).read_text())


COMPOSE = read("compose.yaml")
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
DOCKERFILE = (DEPLOY / "Dockerfile").read_text()
PROMETHEUS = read("prometheus/prometheus.yml")
PROVISIONING = "grafana/provisioning"


def mounts(service: str) -> dict[str, str]:
    """Return what is mounted into a service: sources by the places they are seen at."""
    pairs = (volume.split(":")[:2] for volume in SERVICES[service]["volumes"])
    return {place: source for source, place in pairs}


def ports(service: str) -> list[tuple[str, int, int]]:
    """Return the ports of a service: address and port on the machine, port in the container."""
    parts = (port.rsplit(":", 2) for port in SERVICES[service]["ports"])
    return [(address, int(outer), int(inner)) for address, outer, inner in parts]


def environment(text: str) -> dict[str, str]:
    """Return the variables of the gateway that the Dockerfile sets."""
    return dict(re.findall(r"^ +(HAVERSACK_\w+)=(\S+)", text.partition("ENV ")[2], re.MULTILINE))


@pytest.mark.parametrize("service", SERVICES)
def test_what_is_mounted_is_there(service: str) -> None:
    """Nothing is mounted that is not in the repository or a volume of the file's own."""
    for place, source in mounts(service).items():
        assert place.startswith("/")
        if source.startswith("."):
            assert (DEPLOY / source).exists(), source
        else:
            assert source in COMPOSE["volumes"]


def test_no_volume_is_idle() -> None:
    """Each volume that is declared is used."""
    used = {source for service in SERVICES for source in mounts(service).values()}
    assert set(COMPOSE["volumes"]) <= used


@pytest.mark.parametrize("service", SERVICES)
def test_images_are_pinned(service: str) -> None:
    """Tomorrow's pull is today's image: a whole version, never `latest`."""
    assert re.fullmatch(r"[\w./-]+:v?\d+\.\d+\.\d+", SERVICES[service]["image"])


@pytest.mark.parametrize("service", SERVICES)
def test_only_this_machine_reaches_the_ports(service: str) -> None:
    """No port is open to a network unless somebody writes so."""
    assert {address for address, _, _ in ports(service)} == {"127.0.0.1"}


def test_health_is_asked_past_a_companys_proxy() -> None:
    """The proxy that the container's environment names does not lead to the container itself."""
    _, *health = SERVICES["gateway"]["healthcheck"]["test"]
    assert json.dumps(health) in DOCKERFILE
    with ScriptedUpstream() as healthy:
        command = [part.replace(":8080/", f":{healthy.port}/") for part in health[1:]]
        proxies = {"http_proxy": "http://127.0.0.1:9", "no_proxy": ""}
        subprocess.run([sys.executable, *command], env={**os.environ, **proxies}, check=True)
        assert [request.target for request in healthy.requests] == ["/readyz"]


@pytest.mark.parametrize("service", SERVICES)
def test_health_is_asked_where_it_listens(service: str) -> None:
    """Each service tells how it is, on the port that it serves on, and waits only for what does so, too."""
    command = " ".join(SERVICES[service]["healthcheck"]["test"])
    [(_, outer, inner)] = ports(service)
    assert f"127.0.0.1:{inner}/" in command
    assert outer == inner
    for other, rule in SERVICES[service].get("depends_on", {}).items():
        assert (other in SERVICES, rule["condition"]) == (True, "service_healthy")


def test_gateway_runs_as_its_image_says() -> None:
    """Port, folders and defaults agree between Dockerfile, compose file and settings."""
    image = environment(DOCKERFILE)
    [(_, _, inner)] = ports("gateway")
    assert {inner, int(image["HAVERSACK_PORT"])} == {Settings().port}
    assert f"EXPOSE {inner}" in DOCKERFILE
    assert {image["HAVERSACK_DATA_DIR"], image["HAVERSACK_POLICIES"]} == set(mounts("gateway"))
    assert f"127.0.0.1:{inner}/readyz" in DOCKERFILE
    assert SERVICES["gateway"]["image"] == f"haversack:{__version__}"


def test_settings_are_settings() -> None:
    """The gateway starts with what Dockerfile and compose file set, and listens for other containers."""
    given = {
        name: re.sub(r"\$\{\w+:-(.*)\}", r"\1", text)
        for name, text in SERVICES["gateway"]["environment"].items()
    }
    settings = Settings.read({}, {**environment(DOCKERFILE), **given})

    assert (settings.host, settings.allow_open, settings.upstream) == ("0.0.0.0", True, Settings().upstream)
    assert settings.shutdown_s < int(SERVICES["gateway"]["stop_grace_period"].removesuffix("s"))


def test_image_copies_what_is_there() -> None:
    """What the Dockerfile copies exists, and is not kept from it."""
    allowed = {
        line[1:] for line in (DEPLOY / "Dockerfile.dockerignore").read_text().splitlines() if line[:1] == "!"
    }
    copied = [
        name
        for line in re.findall(r"^COPY (?!--from)(.*)$", DOCKERFILE, re.MULTILINE)
        for name in line.split()[:-1]
    ]
    assert copied
    assert all((ROOT / name).exists() for name in copied)
    assert set(copied) <= allowed
    build = SERVICES["gateway"]["build"]
    assert (DEPLOY / build["context"]).resolve() == ROOT
    assert (ROOT / build["dockerfile"]).exists()


def test_prometheus_scrapes_the_gateway() -> None:
    """The job asks the gateway by its name as a service, where it listens, and the rules are mounted."""
    [job] = PROMETHEUS["scrape_configs"]
    [target] = job["static_configs"][0]["targets"]
    host, _, port = target.partition(":")
    assert host in SERVICES
    assert int(port) in [inner for _, _, inner in ports(host)]

    [config] = [flag.partition("=")[2] for flag in SERVICES["prometheus"]["command"] if "config.file" in flag]
    seen = mounts("prometheus")
    for name in (PurePosixPath(config).name, *PROMETHEUS["rule_files"]):
        assert (DEPLOY / seen[str(PurePosixPath(config).parent / name)]).exists()


def test_grafana_finds_its_source_and_its_dashboard() -> None:
    """The dashboard is where the provider looks, and asks the Prometheus of this file by default."""
    seen = mounts("grafana")
    assert seen["/etc/grafana/provisioning"] == f"./{PROVISIONING}"
    [source] = read(f"{PROVISIONING}/datasources/prometheus.yml")["datasources"]
    url = urlsplit(source["url"])
    assert url.port in [inner for _, _, inner in ports(str(url.hostname))]

    [provider] = read(f"{PROVISIONING}/dashboards/haversack.yml")["providers"]
    [(place, file)] = [(place, file) for place, file in seen.items() if file.endswith(".json")]
    assert str(PurePosixPath(place).parent) == provider["options"]["path"]
    assert SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"] == place

    dashboard = json.loads((DEPLOY / file).read_text())
    [chosen] = [item for item in dashboard["templating"]["list"] if item["type"] == "datasource"]
    assert (chosen["query"], source["isDefault"]) == (source["type"], True)
    asked = {panel["datasource"]["uid"] for panel in dashboard["panels"]}
    assert asked == {f"${{{chosen['name']}}}"}


def test_rates_span_what_is_scraped() -> None:
    """Grafana knows how often Prometheus scrapes, or its graphs have holes."""
    [source] = read(f"{PROVISIONING}/datasources/prometheus.yml")["datasources"]
    assert source["jsonData"]["timeInterval"] == PROMETHEUS["global"]["scrape_interval"]


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not installed; .ci/run installs it")
@pytest.mark.parametrize("name", ["prometheus.yml", "scrape.yml"])
def test_prometheus_accepts_its_configuration(name: str) -> None:
    """Prometheus' own checker has nothing to say about the configuration and the rules it names."""
    done = subprocess.run(
        ["promtool", "check", "config", name],
        cwd=DEPLOY / "prometheus",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_commands_come_in_the_order_that_works() -> None:
    """Whoever follows them has a tenant before the image is started, which refuses to be open to others."""
    text = (DEPLOY / "README.md").read_text()
    assert text.index("docker run --rm haversack key new") < text.index("docker run -p")


def test_service_gets_settings_that_there_are() -> None:
    """The unit sets what the gateway reads, and waits for answers to come to their end."""
    [unit] = re.findall(r"```ini\n(.*?)```", (DEPLOY / "README.md").read_text(), re.DOTALL)
    given = dict(re.findall(r"^Environment=(\w+)=(\S+)$", unit, re.MULTILINE))
    settings = Settings.read({}, given)
    assert settings.data_dir == Path("/var/lib/haversack")
    assert int(re.findall(r"TimeoutStopSec=(\d+)", unit)[0]) > settings.shutdown_s
