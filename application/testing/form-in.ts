/** Finds a form on a page with several, by the end of the path that it is sent to. */
export function formIn(markup: string, end: string): string {
  const forms = [...markup.matchAll(/<form[^>]*action="([^"?]*)[^>]*>[\s\S]*?<\/form>/g)];
  const form = forms.find(([, path]) => path?.endsWith(end));
  if (form === undefined) throw new Error(`No form on the page is sent to …${end}.`);
  return form[0];
}
