/** The frame of every page. `html` escapes each value that is put into it. */
import { type Html, html } from 'seeother';

export function layout(title: string, flash: string | null, main: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${flash && `${flash} – `}${title}</title>
<link rel="stylesheet" href="/styles.css">
</head>
<body>
<main>
<h1>${title}</h1>
${flash && html`<p role="status" tabindex="-1" autofocus>${flash}</p>`}
${main}
</main>
</body>
</html>
`;
}
