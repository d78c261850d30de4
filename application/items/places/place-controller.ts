/** The pages of places, and the forms that add, rename, move, merge and remove them. */
import {
  type Context,
  type Handler,
  HttpError,
  notFound,
  page,
  seeOther,
  withFlash,
} from 'seeother';
import { sendFile, type UploadedFile } from 'seeother/files';
import { andThen } from 'seeother/middleware';
import type { KyselyTransaction } from '../../database/kysely.ts';
import { listHref, placeHref, placesHref, undoBatchAction } from '../../links.ts';
import { buttonForm } from '../../site/button-form.ts';
import { formHandlers, type PageContext, type UserContext } from '../../site/contexts.ts';
import { formatCount } from '../../site/format.ts';
import { seesHistory, toViewer, type Viewer } from '../../site/layout.ts';
import type { CountRecords } from '../count-records.ts';
import { capitalize, describeOperation, withUndo } from '../events/batch-text.ts';
import type { Suggest } from '../facets/suggestions.ts';
import type { MakeLater } from '../files/change-files.ts';
import { checkFiles, headOf } from '../files/check-files.ts';
import type { Items } from '../item.ts';
import { parseNumber } from '../parse-number.ts';
import { readText } from '../read-item-query.ts';
import { addPlaces, readPlaces, removePlace } from './add-places.ts';
import { countLeft, type Moved, type MoveRest } from './move-things.ts';
import { editPlacePage } from './place-edit-page.ts';
import {
  addPlacesForm,
  editPlaceForm,
  type PlaceParams,
  pictureForm,
  placeFormHandlers,
} from './place-forms.ts';
import type { Counted } from './place-list.ts';
import type { Place, PlaceCount, Places } from './place-model.ts';
import { placePage } from './place-page.ts';
import { changePicture } from './place-picture.ts';
import { placePicturePage } from './place-picture-page.ts';
import { PlaceRefused } from './place-refused.ts';
import { addPlacesPage, missingPlacePage, placesPage } from './places-page.ts';
import { type Renamed, renamePlace } from './rename-place.ts';

export interface PlaceOptions {
  readonly places: Places;
  readonly items: Items;
  readonly countRecords: Pick<CountRecords, 'lastOf' | 'lastOfAll'>;
  readonly moveRest: MoveRest;
  readonly suggest: Suggest;
  readonly makeLater: MakeLater;
  readonly now: () => Date;
}

/** Items on the page of a place. */
const SHOWN_THINGS = 20;

export function createPlaceController(options: PlaceOptions) {
  const { places, items, countRecords, moveRest, suggest, makeLater, now } = options;

  const leadToPlaces: Handler<Context> = () => seeOther(placesHref());

  const showPlaces: Handler<PageContext> = async (context) => {
    const tree = await places.tree();
    const level =
      tree === null ? await places.level(null, readAfter(context)) : { places: [], next: null };
    const viewer = toViewer(context);
    const counted = await findCounts(tree ?? level.places, viewer);
    return page(placesPage({ viewer, tree, level, counted }));
  };

  /** Who has counted belongs to the history. */
  async function findCounts(shown: readonly PlaceCount[], viewer: Viewer): Promise<Counted> {
    const paths = seesHistory(viewer) ? shown.map(({ path }) => path) : [];
    return { counts: await countRecords.lastOfAll('location', paths), now: now() };
  }

  const showPlace: Handler<PageContext & PlaceParams> = async (context) => {
    const viewer = toViewer(context);
    const { id } = context.params;
    const place = await findShown(id, viewer);
    if (place === null) return missing(viewer, `There is no place ${id}.`);
    if (place.id !== id) return seeOther(placeHref(place.id));
    const isKnown = seesHistory(viewer);
    const { path } = place;
    const level = await places.level(id, readAfter(context));
    return page(
      placePage({
        ...{ viewer, place, level, now: now() },
        insideCounted: await findCounts(level.places, viewer),
        things: await items.list(1, { location: path, order: 'name' }, SHOWN_THINGS),
        counted: isKnown ? await countRecords.lastOf('location', path) : null,
        earlier: isKnown ? await places.earlier(id) : { paths: [], left: 0 },
        changes: isKnown ? await places.changes(id) : [],
      }),
    );
  };

  /** Where the code of a label leads. */
  const leadToPlace: Handler<PageContext & PlaceParams> = async (context) => {
    const viewer = toViewer(context);
    const { id } = context.params;
    const place = await findShown(id, viewer);
    if (place === null) return missing(viewer, `There is no place ${id}.`);
    return seeOther(placeHref(place.id));
  };

  /** A location that is typed or linked somewhere; also an earlier one. */
  const leadToLocation: Handler<PageContext> = async (context) => {
    const viewer = toViewer(context);
    const location = readText(context.request.query, 'location');
    const found = await places.resolve(location);
    const place = found === null ? null : await findShown(found.id, viewer);
    if (found?.isExact && place !== null) return seeOther(placeHref(place.id));
    const { itemCount } = await items.list(1, { location });
    if (location !== '' && itemCount > 0) return seeOther(listHref({ location }));
    return missing(viewer, `There is no place “${location}”.`, place === null ? null : found);
  };

  /** A place that is not shown has only an old name: for members. */
  async function findShown(id: number, viewer: Viewer): Promise<Place | null> {
    const place = await places.find(id);
    return place === null || place.isShown || seesHistory(viewer) ? place : null;
  }

  function missing(
    viewer: Viewer,
    asked: string,
    near: Parameters<typeof missingPlacePage>[2] = null,
  ) {
    return page(missingPlacePage(viewer, asked, near), 404);
  }

  const addPlacesHandlers = formHandlers(addPlacesForm, {
    name: 'addPlaces',
    page: '/places/new',
    fill: ({ request: { query } }) => ({ inside: readText(query, 'inside') }),
    async show({ form, isDraft, ...context }) {
      const { locations } = await suggest();
      return addPlacesPage({ viewer: toViewer(context), form, isDraft, locations });
    },
    async send({ session, transaction, values }) {
      try {
        const paths = readPlaces(values.places, values.inside);
        const { batch, added, known } = await addPlaces(transaction, paths, session.user.id);
        const message = [
          added === 0 ? '' : `${formatCount(added, 'place was', 'places were')} added.`,
          known.length === 0
            ? ''
            : `${formatCount(known.length, 'place is', 'places are')} there already.`,
        ];
        return withUndo(batch, placesHref(), message.filter((one) => one !== '').join(' '));
      } catch (error) {
        if (!(error instanceof PlaceRefused) || error.field === 'name') throw error;
        return { errors: [{ field: error.field, message: error.message }], status: error.status };
      }
    },
  });

  const editPlace = placeFormHandlers(editPlaceForm, {
    name: 'renamePlace',
    load: async ({ params }) => ({ place: await places.find(params.id) }),
    fill: ({ place }) => {
      if (place === null) return {};
      const inside = place.path.slice(0, -`, ${place.name}`.length);
      return { name: place.name, inside, version: `${place.version}` };
    },
    async show({ place, form, errors, isSent, isDraft, ...context }) {
      const viewer = toViewer(context);
      const { id } = context.params;
      if (place === null) throw new HttpError(404, `There is no place ${id}.`);
      const target = isSent ? await findTarget(form.text, place) : null;
      const { locations } = await suggest();
      // The second time, it is a change of what the message says.
      const text = errors.some(({ field }) => field === null)
        ? { ...form.text, version: `${place.version}` }
        : form.text;
      const shown = { form: { ...form, text }, errors, isDraft, locations, target };
      return editPlacePage({ viewer, place, ...shown });
    },
    async act({ once, session, params, values }) {
      const author = session.user.id;
      const { name, inside } = values;
      const version = parseNumber(values.version) ?? 0;
      const merge = parseNumber(values.merge);
      try {
        // Stays null if an earlier copy of the form was carried out.
        let done = null as Renamed | null;
        const answer = await once(async (transaction) => {
          const renaming = { id: params.id, version, name, inside, merge };
          done = await renamePlace(transaction, renaming, author);
          return placeHref(done.place);
        });
        if (done === null) return answer;
        const { batch, place, isRespelled } = done;
        const moved = await moveRest({ place, batch, author, isRespelled }, done);
        const message = describeRenamed(done, moved);
        return withFlash(answer, message, { label: 'Undo', path: undoBatchAction(batch) });
      } catch (error) {
        if (!(error instanceof PlaceRefused) || error.field === 'places') throw error;
        return { errors: [{ field: error.field, message: error.message }], status: error.status };
      }
    },
  });

  /** The shown place that the form would merge this one with. */
  async function findTarget(
    { name, inside }: { readonly name: string; readonly inside: string },
    { id }: Place,
  ): Promise<Place | null> {
    const path = inside.trim() === '' ? name : `${inside}, ${name}`;
    const found = (await places.idsOf([path])).get(path);
    if (found === undefined || found === id) return null;
    const target = await places.find(found);
    return target?.isShown ? target : null;
  }

  /** Moves what still has an earlier name of the place. */
  const movePlaceRest = placeFormHandlers(buttonForm, {
    name: 'moveRestOfPlace',
    page: '/places/:id<int>',
    async act({ once, session, params: { id } }) {
      const [change] = await places.changes(id);
      // Stays null if an earlier copy of the form was carried out: that one may have left some.
      let before = null as number | null;
      const answer = await once(async (transaction) => {
        before = await countLeft(transaction, id);
        return placeHref(id);
      });
      if (change === undefined) return answer;
      const moving = { place: id, batch: change.id, author: session.user.id };
      const begun = { moved: 0, left: before ?? (await places.earlier(id)).left };
      const { left } = await moveRest(moving, begun);
      return withFlash(answer, left === 0 ? 'All items have the new name.' : describeLeft(left));
    },
  });

  const picturePlace = placeFormHandlers(pictureForm, {
    name: 'picturePlace',
    load: async ({ params }) => ({ place: await places.find(params.id) }),
    fill: ({ place }) => ({ was: `${place?.pictureId ?? ''}` }),
    show({ place, form, errors, isDraft, ...context }) {
      const viewer = toViewer(context);
      const { id } = context.params;
      if (place === null) throw new HttpError(404, `There is no place ${id}.`);
      return placePicturePage({ viewer, place, form, errors, isDraft });
    },
    check: ({ values: { picture } }) =>
      andThen(checkFiles({ values: { files: picture ? [picture] : [] } }), (errors) =>
        errors.map(({ message }) => ({ field: 'picture' as const, message })),
      ),
    send: {
      async save(context) {
        const { picture } = context.values;
        if (picture === null) return refusePicture('Choose a photo');
        if (headOf(picture) === null)
          return refusePicture('Choose a photo: a JPEG, PNG, WebP or HEIC file');
        if (makeLater === null) return refusePicture('No pictures can be made here');
        return change(context, picture);
      },
      remove: (context) => change(context, null),
    },
  });

  async function change(
    { params: { id }, session, transaction, values }: SentPictureContext,
    sent: UploadedFile | null,
  ) {
    const picturing = { id, was: parseNumber(values.was), sent, makeLater };
    try {
      const batch = await changePicture(transaction, picturing, session.user.id);
      const message = `The picture was ${sent === null ? 'removed' : 'saved'}.`;
      return withUndo(batch, placeHref(id), batch === null ? 'There is no picture.' : message);
    } catch (error) {
      if (!(error instanceof PlaceRefused)) throw error;
      return { errors: [{ field: null, message: error.message }], status: error.status };
    }
  }

  /** For everybody who sees the place. */
  const servePicture: Handler<PageContext & PictureParams> = async (context) => {
    const { id, hash } = context.params;
    const place = await findShown(id, toViewer(context));
    const stored = place?.id === id ? place.picture?.stored.get(hash) : undefined;
    return stored === undefined
      ? notFound()
      : sendFile(context, stored, { inline: true, sha256: hash });
  };

  const removePlaceHandlers = placeFormHandlers(buttonForm, {
    name: 'removePlace',
    page: '/places/:id<int>',
    async act({ once, session, params: { id } }) {
      try {
        return await once(async (transaction) => {
          const { batch, path } = await removePlace(transaction, id, session.user.id);
          return withUndo(batch, placesHref(), `The place “${path}” was removed.`);
        });
      } catch (error) {
        if (!(error instanceof PlaceRefused)) throw error;
        throw new HttpError(409, error.message);
      }
    },
  });

  return {
    ...{ picturePlace, servePicture },
    ...{ leadToPlaces, showPlaces, showPlace, leadToPlace, leadToLocation },
    ...{ addPlaces: addPlacesHandlers, editPlace, movePlaceRest, removePlace: removePlaceHandlers },
  };
}

type SentPictureContext = UserContext &
  PlaceParams & {
    readonly transaction: KyselyTransaction;
    readonly values: { readonly was: string };
  };

interface PictureParams extends PlaceParams {
  readonly params: PlaceParams['params'] & { readonly hash: string };
}

function refusePicture(message: string) {
  return { errors: [{ field: 'picture', message }] } as const;
}

function readAfter({ request }: Pick<Context, 'request'>): number | null {
  return parseNumber(request.query.get('after') ?? '');
}

function describeRenamed({ from, to, isMerged }: Renamed, { moved, left }: Moved): string {
  const operation = { kind: 'place changed', from, to, isMerged } as const;
  const done = `${capitalize(describeOperation(operation, moved))}.`;
  return left === 0 ? done : `${done} ${describeLeft(left)}`;
}

function describeLeft(left: number): string {
  return `${formatCount(left, 'item still has', 'items still have')} the earlier name: move the rest to go on.`;
}
