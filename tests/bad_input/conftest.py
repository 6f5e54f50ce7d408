"""Here so that the cases can be imported beside the tests."""
