"""How the app looks: one style sheet, light and dark, and what the browser does by itself."""
