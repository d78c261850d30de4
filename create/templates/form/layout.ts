/** The frame of every page. `html` escapes each value that is put into it. */
import { type Html, html } from 'seeother';

export function layout(title: string, flash: string | null, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<main>
<h1>${title}</h1>
<p role="status">${flash}</p>
${main}
</main>
</body>
</html>
`;
}
