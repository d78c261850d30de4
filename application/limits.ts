/**
 * Limits on expensive work, so that one client cannot use up what all clients share: downloads, searches, uploads,
 * undos and mails. Each limit is a middleware, counts within one process, and refuses before it reads a
 * body.
 */
import type { Middleware } from 'seeother';
import { limitRate, limitRequests } from 'seeother/middleware';
import { isOwnOrder } from './items/item-order.ts';
import { isFiltered } from './items/item-query.ts';
import { readItemQuery, readText } from './items/read-item-query.ts';
import type { LogSecurity } from './settings/security-log.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

export function createLimits(logSecurity: LogSecurity) {
  /** One line for all that were refused within five seconds. */
  const log = (what: string): Pick<Parameters<typeof limitRequests>[0], 'report'> => ({
    report: ({ count, account, network }) => {
      const last = network === null ? '' : `, the last from ${network}`;
      logSecurity('requests refused', null, account, `${what}: ${count} refused${last}`);
    },
  });

  const searches = limitRequests({
    message: 'Too many people are searching right now.',
    ownMessage: 'You or your network are running too many searches right now.',
    // As many as search-queue.ts runs and lets wait. All clients wait in one queue, so each gets few places.
    max: 32,
    maxPerAccount: 4,
    maxPerNetwork: 4,
    reservedForAccounts: 8,
    ...log('searches'),
  });
  /** Only a list with a filter is a search, and a history of items that have to be found. */
  const limitSearches: Middleware = (context, next) => {
    const { query } = context.request;
    const asked = readItemQuery(query);
    const isSlow = isFiltered(asked) || isOwnOrder(asked.order);
    const isSearch = isSlow || readText(query, 'item') !== '';
    return isSearch ? searches(context, next) : next(context);
  };

  return {
    limitSearches,

    /** Lists that are read anew for each request, and are as long as the team has names. */
    limitNames: searches,

    /** Each holds no more than a batch of items, but takes CPU time while its client reads. */
    limitExports: limitRequests({
      message: 'Too many people are downloading or printing the list right now.',
      ownMessage: 'You or your network are already downloading or printing the list twice.',
      max: 6,
      maxPerAccount: 2,
      maxPerNetwork: 2,
      reservedForAccounts: 2,
      timeout: 10 * MINUTE,
      ...log('downloads of the list'),
    }),

    /** Each takes seconds of CPU time for the most labels. */
    limitLabels: limitRequests({
      message: 'Too many people are printing labels right now.',
      ownMessage: 'You are already opening two pages of labels.',
      max: 4,
      maxPerAccount: 2,
      reservedForAccounts: 1,
      ...log('labels'),
    }),

    /** Each may take 2 GB of the file store, and then seconds of CPU time. */
    limitUploads: limitRequests({
      message: 'Too many people are uploading files right now.',
      ownMessage: 'You are already uploading two files.',
      max: 6,
      maxPerAccount: 2,
      // A client that sends slowly keeps its connection, and not its place.
      timeout: 2 * MINUTE,
      ...log('uploads'),
    }),

    /** Each of their transactions keeps other writes waiting. An account has two, because a double click sends two. */
    limitUndos: limitRequests({
      message: 'Too many people are undoing changes right now.',
      ownMessage: 'You are already running two undos.',
      max: 3,
      maxPerAccount: 2,
      ...log('undos of many changes'),
    }),

    /** Each may send a mail to an address that its user has chosen. */
    limitMails: limitRate({
      message: 'Many addresses for mails were saved a short time ago.',
      ownMessage: 'You have saved many addresses for mails a short time ago.',
      max: 100,
      maxPerAccount: 5,
      within: HOUR,
      counts: (status) => status < 400,
      ...log('addresses for mails'),
    }),
  };
}
