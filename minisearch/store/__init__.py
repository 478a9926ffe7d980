"""Where is it kept? All SQL of the project."""
