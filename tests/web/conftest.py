"""What the tests of the web application share: the garden, served without a socket."""

import pytest
from bs4 import BeautifulSoup

from minisearch.web.app import create_app


@pytest.fixture(scope="session")
def app(garden):
    """The application over the garden."""
    return create_app(str(garden.path))


@pytest.fixture
def client(app, garden):
    """A client of it, which knows where the garden is."""
    client = app.test_client()
    client.site = garden.home.removesuffix("/garden/")
    return client


@pytest.fixture(scope="session")
def read():
    """Reads an answer as a browser does."""

    def parse(response):
        return BeautifulSoup(response.text, "html5lib")

    return parse
