/** Finds a form that is sent with POST, by the end of the path that it is sent to. */
export function formIn(markup: string, end: string): string {
  const forms = [
    ...markup.matchAll(/<form(?=[^>]* method="post")[^>]*action="([^"?]*)[^>]*>[\s\S]*?<\/form>/g),
  ];
  const form = forms.find(([, path]) => path?.endsWith(end));
  if (form === undefined) throw new Error(`No form on the page is sent to …${end}.`);
  return form[0];
}
