"""What the command serves: JupyterLab on the course, and the tool as a page of its own."""
