/** The list of items. */
import { type Context, type Handler, html, page, seeOther, type Versioned } from 'seeother';
import { andThen, QueueFull } from 'seeother/middleware';
import type { Welcome } from '../../accounts/welcome.ts';
import { refuseSearch } from '../../errors/overload.ts';
import { href, itemHref, listHref } from '../../links.ts';
import type { Definitions } from '../../own-fields/definitions.ts';
import { nameBuild } from '../../settings/name-build.ts';
import { cacheFragments } from '../../site/cache-fragments.ts';
import type { PageContext } from '../../site/contexts.ts';
import { regionName, toDayNumber } from '../../site/format.ts';
import { layout, mayChangeItems, seesBorrowers, toViewer } from '../../site/layout.ts';
import { siteName } from '../../site/site-name.ts';
import { type CountRecords, placeOf } from '../count-records.ts';
import { createCommonNames } from '../facets/facet-column.ts';
import type { FacetList } from '../facets/facet-list.ts';
import { toFacetKey } from '../facets.ts';
import type { Items } from '../item.ts';
import { type ItemQuery, isNarrowed } from '../item-query.ts';
import { withOwnColumns } from '../own-columns.ts';
import { parseNumber } from '../parse-number.ts';
import { readItemQuery } from '../read-item-query.ts';
import { firstSteps } from './first-steps.ts';
import { type ItemListView, itemListFragment } from './item-list-page.ts';
import { type ListView, readListView } from './list-view.ts';
import { readSoughtNumber } from './sought-number.ts';

/** Where a location leads, also an earlier one: see places/place-model.ts. */
interface MovedPlaces {
  readonly resolve: (
    location: string,
  ) => Promise<{ readonly path: string; readonly isExact: boolean } | null>;
}

export interface ListOptions {
  readonly items: Items;
  readonly facetList: FacetList;
  readonly places: MovedPlaces;
  readonly countRecords: Pick<CountRecords, 'lastOf'>;
  readonly now: () => Date;
  readonly welcome: Welcome;
}

export function createListController(options: ListOptions) {
  const { items, facetList, places, countRecords, now, welcome } = options;
  const readCommonNames = createCommonNames(facetList, items);

  /**
   * The version of lists and item pages: it changes with the code, the data, the day, the region, the name of the
   * site, and the first account.
   */
  const itemsVersion = () =>
    andThen(welcome(), (shown) =>
      andThen(items.revision(), (revision) => {
        const state = shown === null ? '' : ' without accounts';
        return `${nameBuild()} ${revision} ${toDayNumber(now())} ${regionName()} ${siteName()}${state}`;
      }),
    );

  const goToItems: Handler<Context> = () => seeOther(href('/items'));

  interface ListRequest {
    readonly requestedPage: number;
    readonly query: ItemQuery;
    readonly mayChange: boolean;
    readonly hasAccount: boolean;
    readonly view: ListView;
    readonly definitions: Definitions;
  }

  const listFragment = cacheFragments({
    read: async ({ requestedPage, ...request }: ListRequest) => {
      // Visitors do not see the history, and who has counted belongs to it.
      const place = request.hasAccount ? placeOf(request.query) : null;
      const list = await items.list(requestedPage, request.query);
      const { view, definitions } = request;
      const own = withOwnColumns(items, list.items, view.columns, definitions);
      const shown = own instanceof Promise ? await own : own;
      return {
        ...{ ...request, list: { ...list, items: shown } },
        movedTo: list.itemCount === 0 ? await findMoved(request.query.location) : null,
        common: await readCommonNames(),
        statuses: isNarrowed(request.query) ? null : await items.countStatuses(),
        sought: await findSought(request.query),
        counted: place && (await countRecords.lastOf(...place)),
        now: now(),
        welcome: await welcome(),
      };
    },
    render: (view) => ({ ...itemListFragment(view), movedTo: view.movedTo }),
    toKey: ({ requestedPage, query, mayChange, hasAccount, view }) =>
      `${mayChange} ${hasAccount} ${query.seesBorrowers} ${view.columns} ${view.isCompact} ${listHref(query, requestedPage)}`,
  });

  /** Where a place is now that had this location earlier. */
  async function findMoved(location: string): Promise<string | null> {
    const found = location === '' ? null : await places.resolve(location);
    if (!found?.isExact || toFacetKey(found.path) === toFacetKey(location)) return null;
    return found.path;
  }

  async function findSought(query: ItemQuery): Promise<ItemListView['sought']> {
    const sought = readSoughtNumber(query);
    if (sought === null) return null;
    const { number, isExplicit } = sought;
    const item = await items.find(number);
    return item === null && !isExplicit ? null : { number, name: item?.name ?? null };
  }

  const showList = (
    context: PageContext & Versioned,
    query: ItemQuery,
    definitions: Definitions,
  ) => {
    const { request, session, version, flash } = context;
    const viewer = toViewer(context);
    const listRequest = {
      requestedPage: parseNumber(request.query.get('page') ?? '1') ?? 1,
      query,
      mayChange: mayChangeItems(viewer),
      hasAccount: viewer !== null,
      view: readListView(session?.user.listView, definitions),
      definitions,
    };
    return andThen(
      listFragment(version, listRequest),
      (fragment) => {
        if ('movedTo' in fragment && fragment.movedTo !== null)
          return seeOther(listHref({ ...query, location: fragment.movedTo }));
        const steps = 'samples' in fragment ? firstSteps(fragment, viewer, now()) : null;
        const main = steps === null ? fragment.main : html`${fragment.main}${steps}`;
        return page(layout({ ...fragment, main, viewer, notice: flash }));
      },
      (error) => {
        if (!(error instanceof QueueFull)) throw error;
        return refuseSearch(request, viewer);
      },
    );
  };

  const listItems: Handler<PageContext & Versioned> = (context) => {
    const query = readItemQuery(context.request.query, seesBorrowers(toViewer(context)));
    const sought = readSoughtNumber(query);
    return andThen(sought?.isExplicit ? items.find(sought.number) : null, (item) =>
      item === null
        ? andThen(items.definitions.known(), (definitions) => showList(context, query, definitions))
        : seeOther(itemHref(item.number)),
    );
  };

  return { goToItems, itemsVersion, listItems };
}
