/**
 * All addresses of the application, by the names of their routes. A link to an unknown route does not
 * compile; links.types.test.ts compares the names with the routes of router.ts.
 */
import { createLinks, localPath } from 'seeother';
import type { AccountRoutes } from 'seeother/accounts';

export type RouteName =
  | AccountRoutes
  | 'GET /'
  | 'GET /items'
  | 'GET /items.csv'
  | 'GET /items/new'
  | 'POST /items'
  | 'GET /items/import'
  | 'POST /items/import'
  | 'GET /items/imports/:id<int>'
  | 'GET /items/imports/:id<int>/columns'
  | 'POST /items/imports/:id<int>/columns'
  | 'GET /items/imports/:id<int>/refused.csv'
  | 'POST /items/imports/:id<int>/run'
  | 'POST /items/imports/:id<int>/stop'
  | 'GET /items/print'
  | 'GET /items/locations'
  | 'GET /items/tags'
  | 'GET /items/rename'
  | 'POST /items/rename'
  | 'GET /items/select'
  | 'POST /items/select'
  | 'GET /fields/set'
  | 'POST /fields/set'
  | 'GET /items/count'
  | 'POST /items/count'
  | 'GET /items/count/differences'
  | 'POST /items/count/differences'
  | 'GET /items/counts'
  | 'GET /items/counts/:count<int>'
  | 'GET /items/counts/:count<int>/count.csv'
  | 'GET /items/filters'
  | 'GET /items/labels'
  | 'POST /items/labels'
  | 'GET /items/labels/print'
  | 'GET /items/labels/sheet.css'
  | 'GET /items/labels/labels.pdf'
  | 'GET /items/held'
  | 'GET /items/lend'
  | 'POST /items/lend'
  | 'GET /items/return'
  | 'POST /items/return'
  | 'GET /items/history'
  | 'GET /items/history/batches/:batch<int>'
  | 'POST /items/history/batches/:batch<int>/undo'
  | 'GET /items/bin'
  | 'GET /items/:number<int>'
  | 'GET /items/:number<int>/edit'
  | 'POST /items/:number<int>/edit'
  | 'GET /items/:number<int>/quantity'
  | 'POST /items/:number<int>/quantity'
  | 'GET /items/:number<int>/lend'
  | 'POST /items/:number<int>/lend'
  | 'POST /items/:number<int>/return'
  | 'POST /items/:number<int>/delete'
  | 'POST /items/:number<int>/restore'
  | 'GET /items/:number<int>/remove'
  | 'POST /items/:number<int>/remove'
  | 'GET /items/:number<int>/files'
  | 'POST /items/:number<int>/files'
  | 'GET /items/:number<int>/files/:file<int>'
  | 'POST /items/:number<int>/files/:file<int>'
  | 'GET /items/:number<int>/files/:file<int>/original'
  | 'GET /items/:number<int>/files/:file<int>/remove'
  | 'POST /items/:number<int>/files/:file<int>/remove'
  | 'GET /items/:number<int>/files/:file<int>/:hash'
  | 'GET /items/:number<int>/history'
  | 'POST /items/:number<int>/history/:event<int>/undo'
  | 'GET /items/:number<int>/history/:event<int>/remove'
  | 'POST /items/:number<int>/history/:event<int>/remove'
  | 'GET /i/:number<int>'
  | 'GET /places'
  | 'POST /places'
  | 'GET /places/at'
  | 'GET /places/new'
  | 'GET /places/:id<int>'
  | 'GET /places/:id<int>/edit'
  | 'POST /places/:id<int>/edit'
  | 'GET /places/:id<int>/picture'
  | 'POST /places/:id<int>/picture'
  | 'GET /places/:id<int>/picture/:hash'
  | 'POST /places/:id<int>/move'
  | 'POST /places/:id<int>/remove'
  | 'GET /p/:id<int>'
  | 'GET /scan'
  | 'POST /scan'
  | 'GET /fields'
  | 'GET /fields/new'
  | 'POST /fields/new'
  | 'GET /fields/:id<int>'
  | 'POST /fields/:id<int>'
  | 'POST /fields/:id<int>/remove'
  | 'GET /fields/:id<int>/merge'
  | 'POST /fields/:id<int>/merge'
  | 'GET /fields/:id<int>/choices'
  | 'POST /fields/:id<int>/choices'
  | 'GET /fields/kinds/:id<int>/merge'
  | 'POST /fields/kinds/:id<int>/merge'
  | 'GET /fields/kinds/new'
  | 'POST /fields/kinds/new'
  | 'GET /fields/kinds/:id<int>'
  | 'POST /fields/kinds/:id<int>'
  | 'POST /fields/kinds/:id<int>/remove'
  | 'GET /fields/order'
  | 'POST /fields/order'
  | 'GET /fields/changes'
  | 'POST /fields/changes/:id<int>/undo'
  | 'GET /help'
  | 'POST /draft/discard'
  | 'GET /account/list'
  | 'POST /account/list'
  | 'GET /account/mail'
  | 'POST /account/mail'
  | 'GET /mail'
  | 'POST /mail'
  | 'GET /healthz'
  | 'GET /readyz';

export const { href, action } = createLinks<RouteName>();

/** The page of an item. It leads back to the list, and on in it; to all items without one. */
export function itemHref(number: number, list?: ListPlace) {
  return itemHrefs(list)(number);
}

/** The pages of several items: the query, which is the same for all, is built once. */
export function itemHrefs(list?: ListPlace) {
  const query = list === undefined ? '' : href('/', {}, toPlace(list)).slice(1);
  return (number: number) => localPath(`${href('/items/:number<int>', { number })}${query}`);
}

/** The short address of an item, for its label: it leads to the page. */
export function shortItemHref(number: number) {
  return href('/i/:number<int>', { number });
}

/** The page of an import. With `still`, a page that does not load itself again. */
export function importHref(id: number, { still = false }: { readonly still?: boolean } = {}) {
  return href('/items/imports/:id<int>', { id }, { still: still ? 1 : undefined });
}

/** The page to choose what the columns of a file are. */
export function columnsHref(id: number) {
  return href('/items/imports/:id<int>/columns', { id });
}

/** The refused rows as a file. */
export function refusedHref(id: number) {
  return href('/items/imports/:id<int>/refused.csv', { id });
}

/** The form to change an item. */
export function editHref(number: number, list?: ListPlace) {
  return href('/items/:number<int>/edit', { number }, list === undefined ? {} : toPlace(list));
}

export function addFilesAction(number: number) {
  return action('/items/:number<int>/files', { number }, { send: '' });
}

/** The page of a photo or document. */
export function filePageHref(number: number, file: number) {
  return href('/items/:number<int>/files/:file<int>', { number, file });
}

export function fileAction(number: number, file: number) {
  return action('/items/:number<int>/files/:file<int>', { number, file }, { send: '' });
}

/** Its bytes, which never change at this address. */
export function fileHref(number: number, file: number, hash: string) {
  return href('/items/:number<int>/files/:file<int>/:hash', { number, file, hash });
}

export function originalHref(number: number, file: number) {
  return href('/items/:number<int>/files/:file<int>/original', { number, file });
}

export function removeFileHref(number: number, file: number) {
  return href('/items/:number<int>/files/:file<int>/remove', { number, file });
}

export function removeFileAction(number: number, file: number) {
  return action('/items/:number<int>/files/:file<int>/remove', { number, file }, { send: '' });
}

/** The form to lend an item. */
export function lendHref(number: number, list: ListPlace) {
  return href('/items/:number<int>/lend', { number }, toPlace(list));
}

/** The changes of an item, before the event with the id. */
export function historyHref(number: number, before?: number) {
  return href('/items/:number<int>/history', { number }, { before });
}

/** Who has what; only what the person with the name has. */
export function heldHref(to?: string) {
  return href('/items/held', {}, { to });
}

/** The page that turns the mails to an address on and off. The query, as the token in it, is in no log. */
export function mailHref(token: string) {
  return href('/mail', {}, { link: token });
}

/** The form to return an item that leads back to the page of who has what. */
export function returnFromHeldAction(number: number, to: string) {
  return action('/items/:number<int>/return', { number }, { held: to });
}

/** What the pages show that lend several things and take them back; see items/lend/things.ts. */
export interface ThingsState extends ThingsPlace {
  readonly things?: string;
  readonly again?: string;
  readonly typed?: string;
  readonly to?: string;
  readonly term?: string;
  readonly until?: string;
}

/** Where one came from: the page of what a person has, or of who has what if that is empty; or the query of a list. */
interface ThingsPlace {
  readonly held?: string | null;
  readonly list?: string | null;
}

export function lendThingsHref(state: ThingsState) {
  return href('/items/lend', {}, toThingsQuery(state));
}

export function returnThingsHref(state: ThingsState) {
  return href('/items/return', {}, toThingsQuery(state));
}

/** With the day on which the page was made, as in `selectAction`. */
export function lendThingsAction(place: ThingsPlace, day: string) {
  return action('/items/lend', {}, { ...toPlaceQuery(place), send: '', day });
}

export function returnThingsAction(place: ThingsPlace) {
  return action('/items/return', {}, { ...toPlaceQuery(place), send: '' });
}

function toThingsQuery({ things, again, typed, to, term, until, ...place }: ThingsState) {
  return { ...filled({ things, again, typed, to, term, until }), ...toPlaceQuery(place) };
}

function toPlaceQuery({ held, list }: ThingsPlace) {
  return { held: held ?? undefined, list: list ?? undefined };
}

/** The query of the history; empty text and null are left out. */
interface HistoryAddress {
  readonly person: number | null;
  readonly kind: string | null;
  readonly item: string;
  readonly from: string;
  readonly to: string;
}

/** The history of all items, after a place in it. */
export function historyPageHref({ person, kind, item, from, to }: HistoryAddress, after?: string) {
  return href('/items/history', {}, filled({ person, kind, item, from, to, after }));
}

/** The page that removes a deleted item for ever. */
export function removeItemHref(number: number) {
  return href('/items/:number<int>/remove', { number });
}

export function removeItemAction(number: number) {
  return action('/items/:number<int>/remove', { number });
}

type EventAddress = { readonly number: number; readonly id: number };

/** The page that removes an old value of a change for ever. */
export function removeValueHref({ number, id }: EventAddress) {
  return href('/items/:number<int>/history/:event<int>/remove', { number, event: id });
}

export function removeValueAction({ number, id }: EventAddress) {
  return action('/items/:number<int>/history/:event<int>/remove', { number, event: id });
}

/** The kinds of things and the fields of the team's own. */
export function fieldsHref() {
  return href('/fields');
}

/** The form to add a field; of a kind of things. */
export function newFieldHref(kind?: number) {
  return href('/fields/new', {}, { of: kind });
}

/** Their forms are sent to other addresses than those of their pages, which stay in the browser's cache for Back. */
export function newFieldAction() {
  return action('/fields/new', {}, { send: '' });
}

export function fieldHref(id: number) {
  return href('/fields/:id<int>', { id });
}

export function fieldAction(id: number) {
  return action('/fields/:id<int>', { id }, { send: '' });
}

export function kindHref(id: number) {
  return href('/fields/kinds/:id<int>', { id });
}

export function kindAction(id: number) {
  return action('/fields/kinds/:id<int>', { id }, { send: '' });
}

/** Who has changed the fields and kinds, before the change with the id. */
export function fieldChangesHref(before?: number) {
  return href('/fields/changes', {}, { before });
}

export function undoFieldsAction(id: number) {
  return action('/fields/changes/:id<int>/undo', { id });
}

/** The query of a list address; empty text is left out. */
export interface ListAddress {
  readonly search?: string;
  readonly tag?: string;
  readonly location?: string;
  /** `lent`, `overdue` or `low`. */
  readonly show?: string;
  /** The id of a kind of things, or `none`. */
  readonly kind?: string;
  readonly own?: readonly OwnFilterAddress[];
  readonly order?: string;
}

/** A filter by a field of the team's own: see items/own-filter.ts. */
export interface OwnFilterAddress {
  readonly field: number;
  readonly how?: string;
  readonly text?: string;
  readonly from?: string;
  readonly to?: string;
}

/** A page of a list. */
export interface ListPlace extends ListAddress {
  /** The first by default. */
  readonly page?: number | undefined;
}

/** The address of a list; the first page by default. Default values are left out. */
export function listHref(list: ListAddress, page?: number) {
  return href('/items', {}, { ...toQuery(list), page });
}

/** The same list, at the page that a form was opened from. */
export function backToList(list: ListAddress, page: number) {
  return listHref(list, laterPage(page));
}

function laterPage(page?: number) {
  return page === 1 ? undefined : page;
}

/** All tags, after a name. */
export function tagsHref(after?: string) {
  return href('/items/tags', {}, { after });
}

/** The form to rename a tag. */
export function renameHref(name: string) {
  return href('/items/rename', {}, { what: 'tag', name });
}

/** All places, after one of them. */
export function placesHref(after?: number) {
  return href('/places', {}, { after });
}

/** The page of a place; of what is inside it, after one of these. */
export function placeHref(id: number, after?: number) {
  return href('/places/:id<int>', { id }, { after });
}

/** The same, short enough for a label. */
export function shortPlaceHref(id: number) {
  return href('/p/:id<int>', { id });
}

/** Leads to the page of the place with the location, also of an earlier name. */
export function placeAtHref(location: string) {
  return href('/places/at', {}, { location });
}

/** The form to add places; inside the one with the path. */
export function newPlacesHref(inside?: string) {
  return href('/places/new', {}, { ...filled({ inside }) });
}

/** The form to rename a place, or to move it into another one. */
export function editPlaceHref(id: number) {
  return href('/places/:id<int>/edit', { id });
}

/** The form that adds a picture to a place, replaces and removes it. */
export function changePictureHref(id: number) {
  return href('/places/:id<int>/picture', { id });
}

export function changePictureAction(id: number) {
  return action('/places/:id<int>/picture', { id }, { send: '' });
}

/** The bytes of the picture of a place, which never change at this address. */
export function placePictureHref(id: number, hash: string) {
  return href('/places/:id<int>/picture/:hash', { id, hash });
}

/** What the page of items to select shows beside the list. Empty text is left out. */
export interface SelectState {
  /** See items/ticked-numbers.ts. */
  readonly ticked?: string;
  /** How many were left out, because there are too many. */
  readonly left?: number;
  /** What was typed into the form. */
  readonly to?: string;
  readonly add?: string;
  readonly who?: string;
  readonly term?: string;
  readonly until?: string;
  /** All items of the page, ticked; or those that are ticked, instead of the list. */
  readonly show?: 'all' | 'ticked' | undefined;
  /** The page of the list to go back to; the first by default. */
  readonly back?: number | undefined;
}

/** The same list with a checkbox for each item. */
export function selectHref(list: ListAddress, page?: number, state: SelectState = {}) {
  const { ticked, left, to, add, who, term, until, show, back } = state;
  const pages = { page: laterPage(page), back: laterPage(back) };
  const more = filled({ ticked, left: left || undefined, to, add, who, term, until });
  const shown = show === undefined ? {} : { [show === 'all' ? 'all' : 'only']: '' };
  const query = { ...toQuery(list), ...pages, ...more, ...shown };
  return href('/items/select', {}, query);
}

/**
 * Where its form is sent: not the address of its page, which stays in the browser's cache for Back. It has the day on
 * which the page was made, and the time. In hidden fields, which must not differ after a reload, they would refuse what
 * was typed before.
 */
export function selectAction(
  list: ListAddress,
  page: number,
  back: number,
  made: { readonly day: string; readonly seen: string },
) {
  const pages = { page: laterPage(page), back: laterPage(back) };
  return action('/items/select', {}, { ...toQuery(list), ...pages, send: '', ...made });
}

/** The page that sets a field of the items that are ticked. */
export function setFieldHref(list: ListAddress, ticked: string, back?: number) {
  return href('/fields/set', {}, { ...toQuery(list), ticked, back: laterPage(back) });
}

export function setFieldAction(list: ListAddress, back?: number) {
  return action('/fields/set', {}, { ...toQuery(list), back: laterPage(back), send: '' });
}

/** A list, or the items of it that are ticked. */
export interface ChosenAddress extends ListAddress {
  /** See items/ticked-numbers.ts. */
  readonly ticked?: string;
}

/** The page on which the items were chosen. */
export function chosenHref(list: ChosenAddress) {
  const { ticked = '' } = list;
  return ticked === '' ? listHref(list) : selectHref(list, undefined, { ticked });
}

/** Where one is in counting a list. */
interface CountPlace {
  readonly page?: number | undefined;
  /** The page that follows. */
  readonly next?: number | null;
  /** How many items the page has. */
  readonly of?: number | null;
  /** How many items the list has. */
  readonly all?: number | null;
  /** The same for all forms of one count: see count-records.ts. */
  readonly key?: string | undefined;
  /** What was counted: see counts.ts. */
  readonly counts?: string;
}

/** The items of a list, with their numbers to be typed over; with `counts`, as they were typed. */
export function countHref(
  list: ChosenAddress,
  { page, key, counts }: Omit<CountPlace, 'next' | 'of' | 'all'> = {},
) {
  return href('/items/count', {}, toCountQuery(list, { page, key, counts: counts ?? '' }));
}

export function countAction(list: ChosenAddress, place: Omit<CountPlace, 'counts' | 'of'>) {
  return action('/items/count', {}, { ...toCountQuery(list, place), send: '' });
}

/** The counted numbers that differ from the stored ones. */
export function differencesHref(list: ChosenAddress, place: CountPlace) {
  return href('/items/count/differences', {}, toCountQuery(list, place));
}

export function differencesAction(list: ChosenAddress, place: CountPlace) {
  const query = { ...toCountQuery(list, place), send: '' };
  return action('/items/count/differences', {}, query);
}

function toCountQuery(list: ChosenAddress, { page, next, of, all, key, counts }: CountPlace) {
  const query = { page: laterPage(page), next, of, all, key, counts };
  return { ...toChosenQuery(list), ...filled(query) };
}

/** What was counted, newest first. */
export function countsHref() {
  return href('/items/counts');
}

export function countRecordHref(count: number) {
  return href('/items/counts/:count<int>', { count });
}

/** The same as a file. */
export function countFileHref(count: number) {
  return href('/items/counts/:count<int>/count.csv', { count });
}

/** The changes that were made at once, before the event with the id. */
export function batchHref(batch: number, before?: number) {
  return href('/items/history/batches/:batch<int>', { batch }, { before });
}

/** With `scan`, the undo leads back there. */
export function undoBatchAction(batch: number, scan?: ScanAddress) {
  return action('/items/history/batches/:batch<int>/undo', { batch }, toScanBehind(scan));
}

/** What a scan does, and where to or for whom: see items/scan/scan-modes.ts. */
interface ScanAddress {
  readonly mode: string;
  readonly place: string;
  readonly to: string;
}

/** The page to scan; with the code that means nothing, or several things. */
export function scanHref(scan: ScanAddress, code?: string) {
  return href('/scan', {}, { ...toScanQuery(scan), code });
}

export function scanAction(scan: ScanAddress) {
  return action('/scan', {}, { ...toScanQuery(scan), send: '' });
}

function toScanQuery({ mode, place, to }: ScanAddress) {
  return filled({ mode: mode === 'open' ? '' : mode, place, to });
}

/** Where a form leads back to that the page to scan has led to; null for any other. */
export function readScanBehind(query: URLSearchParams): ScanAddress | null {
  if (!query.has('scan')) return null;
  const [mode, place, to] = (['mode', 'place', 'to'] as const).map((name) => query.get(name) ?? '');
  return { mode: mode || 'open', place: place ?? '', to: to ?? '' };
}

function toScanBehind(scan: ScanAddress | null = null) {
  return scan === null ? {} : { scan: '', ...toScanQuery(scan) };
}

/** The form to add an item with a code that was scanned, and then to scan on. */
export function newScannedHref(code: { code?: string; serial?: string }, scan: ScanAddress) {
  return href('/items/new', {}, { ...code, ...toScanBehind(scan) });
}

/** The form to add one more item, after the one with the number. */
export function newAnotherHref(saved: number, scan: ScanAddress | null) {
  return href('/items/new', {}, { saved, ...toScanBehind(scan) });
}

export function newItemAction(scan: ScanAddress | null) {
  return action('/items', {}, toScanBehind(scan));
}

/** The undo of the addition, which leads back to the page to scan. */
export function deleteScannedAction(number: number, scan: ScanAddress) {
  return action('/items/:number<int>/delete', { number }, toScanBehind(scan));
}

/** The page to choose a location or a tag for the list. */
export function filtersHref(list: ListAddress) {
  return href('/items/filters', {}, toQuery(list));
}

/** The same list, all of it, as a file. */
export function exportHref(list: ListAddress) {
  return href('/items.csv', {}, toQuery(list));
}

/** The same list, all of it, as a page to print. */
export function printHref(list: ChosenAddress) {
  return href('/items/print', {}, toChosenQuery(list));
}

/** The form to print labels for a list, or for what is ticked. */
export function labelsHref(list: LabelledAddress) {
  return href('/items/labels', {}, toLabelQuery(list));
}

export function labelsAction(list: LabelledAddress) {
  return action('/items/labels', {}, { ...toLabelQuery(list), send: '' });
}

/** With `places`, their ids, the labels are those of places. */
interface LabelledAddress extends ChosenAddress {
  readonly places?: string;
}

/** The labels as a page that prints. `choice` is a query: see items/labels/read-labels.ts. */
export function labelsPageHref(list: LabelledAddress, choice: string) {
  return href('/items/labels/print', {}, toLabelQuery(list, choice));
}

export function labelPdfHref(list: LabelledAddress, choice: string) {
  return href('/items/labels/labels.pdf', {}, toLabelQuery(list, choice));
}

/** The style of the sheet. */
export function labelCssHref(sheet: string, hasPicture: boolean) {
  return href('/items/labels/sheet.css', {}, { sheet, texts: hasPicture ? 'picture' : undefined });
}

function toLabelQuery(list: LabelledAddress, choice = '') {
  const chosen = { ...toChosenQuery(list), ...filled({ places: list.places }) };
  return { ...chosen, ...Object.fromEntries(new URLSearchParams(choice)) };
}

function toChosenQuery(list: ChosenAddress) {
  return { ...toQuery(list), ...filled({ ticked: list.ticked }) };
}

/** As a query that further addresses hand on. */
export function toPlace(list: ListPlace) {
  return { ...toQuery(list), page: list.page };
}

function toQuery({ search, tag, location, show, kind, own = [], order }: ListAddress) {
  return {
    ...filled({ q: search, tag, location, show, kind }),
    ...(own.length === 0 ? {} : toOwnQuery(own)),
    sort: order === 'newest' ? undefined : order,
  };
}

type Query = Readonly<Record<string, string | number | null | undefined>>;
type Filled<Q extends Query> = { readonly [Name in keyof Q]?: Exclude<Q[Name], null> };

/** Without what is empty: an address has none of it. */
function filled<const Q extends Query>(query: Q): Filled<Q> {
  const entries = Object.entries(query).filter(([, value]) => value !== '' && value != null);
  return Object.fromEntries(entries) as Filled<Q>;
}

/** What the controls of the filters are named, too. */
function toOwnQuery(own: readonly OwnFilterAddress[]): Readonly<Record<string, string>> {
  const named = own.flatMap(({ field, how = '', text = '', from = '', to = '' }) => [
    [`own_${field}`, text],
    [`own_${field}_how`, how],
    [`own_${field}_from`, from],
    [`own_${field}_to`, to],
  ]);
  return Object.fromEntries(named.filter(([, value]) => value !== ''));
}
