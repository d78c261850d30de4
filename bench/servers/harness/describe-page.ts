/** The visible content of a list page, for comparison: no contender may be faster by showing less. */
export interface PageContent {
  readonly count: string;
  readonly viewer: string;
  /** Name, quantity, location and tags of each row. */
  readonly rows: readonly string[];
  readonly pages: string;
  /** Locations and tags, each with its count. */
  readonly facets: string;
  readonly links: number;
  readonly fields: number;
}

export function describePage(body: string): PageContent {
  const rows = [...body.matchAll(/<tr>\s*<th scope="row">(.*?)<\/tr>/gs)];
  return {
    count: toText(/<h1>(.*?)<\/h1>/s.exec(body)?.[1]),
    viewer: toText(/Logged in as(.*?)<\/button>/s.exec(body)?.[1]),
    rows: rows.map(([, row = '']) => toText(row)),
    pages: toText(/<nav class="pages".*?>(.*?)<\/nav>/s.exec(body)?.[1]),
    facets: toText(/<section class="facets".*?>(.*?)<\/section>/s.exec(body)?.[1]),
    links: body.split('<a ').length - 1,
    fields: body.split(/<(?:input|select|option|button)\b/).length - 1,
  };
}

/** Still escaped, but for quotes and for characters beyond ASCII, which escape in more than one way or not at all. */
function toText(html = ''): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d{3,});/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(#39|#x27|apos|quot|#34);/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
}
