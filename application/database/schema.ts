/**
 * The types of the tables, for Kysely. Times are text: UTC in ISO 8601 with milliseconds, which
 * sorts by time and is the same in both engines. The `key` of a session and a device is the
 * SHA-256 of a token that only its cookie has. The other tables of accounts are the framework's: `TABLES` of
 * account-tables.ts.
 */
import type { Generated } from 'kysely';

export interface Schema {
  readonly accounts: {
    id: number;
    username: string;
    /** The username in lower case. It is unique, so names cannot differ only in case. */
    username_key: string;
    /** What the pages call the person; null for the username. See accounts/display-name.ts. */
    display_name: Generated<string | null>;
    /** A PHC string: algorithm, parameters, salt and hash. */
    password_hash: string;
    created_at: string;
    /** Nobody can log in to a disabled account. */
    disabled_at: Generated<string | null>;
    /** Set for a reset password: it expires at this time, and the user must change it. */
    password_expires_at: Generated<string | null>;
    /** One of `ROLES`: see settings/role.ts. */
    role: Generated<string>;
    /** How the account sees the list, or empty: see items/list/list-view.ts. */
    list_view: Generated<string>;
    /** What was chosen for the last labels: see items/labels/label-choices.ts. */
    labels: Generated<string>;
    /** A confirmed address, and the same in lower case, which is unique. */
    email: Generated<string | null>;
    email_key: Generated<string | null>;
    /** Counts up with each change of what one logs in with. */
    version: Generated<number>;
    /** Random and unique: what passkeys store as the user. */
    handle: Generated<string>;
    /** The sealed secret of one-time codes, and the step of time of the last one. */
    totp: Generated<string | null>;
    totp_step: Generated<number>;
    /** 0 or 1. */
    second_factor: Generated<number>;
  };
  readonly sessions: {
    key: string;
    account_id: number;
    started_at: string;
    seen_at: string;
    ends_at: string;
    /** 0 or 1. */
    remembered: number;
    /** The User-Agent header and the IP address of the log-in. */
    agent: Generated<string>;
    address: Generated<string>;
    /** JSON, or empty. */
    flashes: Generated<string>;
    draft: Generated<string>;
    /** 1 for the old id of a renewed session, which can only read until it expires. */
    superseded: Generated<number>;
  };
  /** The mails about loans of an account: see mail/due-mails.ts. */
  readonly due_mails: {
    account_id: number;
    /** Null for none. */
    email: string | null;
    /** In the link of each mail to that address, so the table has the token itself. It turns the mails on and off. */
    token: string | null;
    /** 1 once the link of the first mail has proved the address, and until a link stops the mails. */
    is_on: Generated<number>;
    /** The day of the last mail, as in `2026-11-20`; empty before the first one. */
    mailed_on: Generated<string>;
  };
  /** A browser in which an account has logged in. */
  readonly devices: {
    key: string;
    account_id: number;
    seen_at: string;
  };
  readonly items: {
    number: number;
    name: string;
    /** By which names are sorted: see site/fold-text.ts. Null of an older release: see items/item-search.ts. */
    name_key: Generated<string | null>;
    description: string;
    quantity: number;
    location: string;
    serial: Generated<string>;
    /** EAN, UPC, or what else stands below a barcode. */
    code: Generated<string>;
    created_at: string;
    created_by: number | null;
    updated_at: string;
    updated_by: number | null;
    version: number;
    /** How many are lent, and the first day on which one is due, as in `2026-11-20`: of its `loans`. */
    lent: Generated<number>;
    due: Generated<string | null>;
    /** The item runs low when its quantity is lower. */
    minimum: Generated<number | null>;
    /** What it is, of `item_kinds`; null for none. */
    kind: Generated<number | null>;
    /** What a list shows of its files: see items/item-files.ts. */
    picture: Generated<string | null>;
  };
  /** Kinds of things, which have fields of their own: see own-fields/definitions.ts. */
  readonly item_kinds: {
    id: number;
    name: string;
    /** One of `ICONS`, or empty. */
    icon: Generated<string>;
    /** The minimum of new items. */
    minimum: Generated<number | null>;
    position: number;
    /** 0 or 1: a removed one keeps its items and fields, so that the removal can be undone. */
    removed: Generated<number>;
    version: Generated<number>;
  };
  /** Fields that the team defines itself. */
  readonly own_fields: {
    id: number;
    kind:
      | 'text'
      | 'long text'
      | 'number'
      | 'date'
      | 'choice'
      | 'choices'
      | 'yes or no'
      | 'money'
      | 'link'
      | 'person';
    label: string;
    hint: Generated<string>;
    /** Here and below, 0 or 1. */
    required: Generated<number>;
    /** The unit of a number, or the currency of money. */
    unit: Generated<string>;
    /** JSON: see `OwnChoice`. */
    choices: Generated<string>;
    /** The kind of things that have it; null for all. */
    item_kind: number | null;
    position: number;
    in_list: Generated<number>;
    searched: Generated<number>;
    /** A removed one keeps its values, so that the removal can be undone. */
    removed: Generated<number>;
    version: Generated<number>;
  };
  /** The log of both: see own-fields/change-definitions.ts. */
  readonly field_changes: {
    id: number;
    at: string;
    account_id: number | null;
    kind: 'added' | 'changed' | 'removed' | 'ordered' | 'merged' | 'undone';
    /** JSON: a list of `DefinitionChange`. */
    about: string;
    /** The batch of the items that were changed along. */
    batch: number | null;
    undoes: number | null;
  };
  /** The values of these fields: see own-fields/own-values.ts. */
  readonly item_values: {
    item_number: number;
    field_id: number;
    /** From 0: of a field with several choices. */
    position: number;
    value: string;
    /** By which it is sorted and found. */
    key: string;
    /** The value of a number or of money. */
    number: number | null;
  };
  /** The photos and documents of the items: see items/item-files.ts. */
  readonly item_files: {
    id: number;
    /** The item may be deleted. 0 for the picture of a place: see items/places/place-picture.ts. */
    item_number: number;
    /** The first photo is the picture of the item. */
    position: number;
    /**
     * `waiting`: a photo of which pictures are still to be made. `failed`: what seemed to be a photo, and of which none
     * can be made.
     */
    kind: 'waiting' | 'photo' | 'failed' | 'document';
    /** As it was sent; empty if it was removed for ever. */
    name: string;
    caption: Generated<string>;
    /** Of what was sent: its media type, bytes and SHA-256. */
    type: string;
    size: number;
    sha256: string;
    /** In the file store: what was sent, or of a photo the picture that has taken its place. */
    file: string;
    /** In the file store: what was sent, if originals are kept. */
    original: Generated<string | null>;
    /** SHA-256 of the picture that was kept. */
    kept_hash: Generated<string | null>;
    /** The picture of a page: in the file store, its SHA-256, and its pixels. */
    page_file: Generated<string | null>;
    page_hash: Generated<string | null>;
    width: Generated<number | null>;
    height: Generated<number | null>;
    /** The picture of a list. */
    list_file: Generated<string | null>;
    list_hash: Generated<string | null>;
    added_at: string;
    added_by: number | null;
    /** From then on it can be brought back for 30 days. Empty once nobody can: the next sweep removes it. */
    removed_at: Generated<string | null>;
  };
  /** Who has how many of an item: see items/loan.ts. */
  readonly loans: {
    item: number;
    /** When it began. */
    at: string;
    borrower: string;
    /** A day; null without one. */
    until: string | null;
    quantity: number;
  };
  readonly item_tags: {
    item_number: number;
    /** The position of the tag in the list, from 0. */
    position: number;
    tag: string;
  };
  /** The number of deleted items per thousand item numbers. */
  readonly item_gaps: {
    /** 0 for the numbers 1 to 1,000, 1 for 1,001 to 2,000, and so on. */
    block: number;
    gone: number;
  };
  /** The full-text index of the items. A copy to another engine rebuilds it. */
  readonly item_words: {
    /** The number of the item. */
    rowid: number;
    words: string;
  };
  /** The different words of all items; see items/item-vocabulary.ts. */
  readonly item_vocabulary: { readonly word: string };
  /** The locations and tags that items have: see items/facets.ts. */
  readonly item_facets: {
    field: 'location' | 'tag';
    name: string;
    /** The name without case. */
    key: string;
    /** How many items have it. Triggers count. */
    items: number;
  };
  /** The locations of the items, and what those are inside: see items/place.ts. */
  readonly places: {
    id: number;
    /** The place that it is inside; null for an outermost one. */
    parent: number | null;
    /** The last part of the path, and by what it is sorted. */
    name: string;
    name_key: string;
    /** “Cellar, shelf 2”, and the same as in `item_facets`: null once it is part of another place. */
    path: string;
    key: string | null;
    /** 1 if it is shown although nothing is in it. */
    kept: Generated<number>;
    /** The place that it is part of since a merge. */
    merged_into: Generated<number | null>;
    /** The id of its picture in `item_files`. */
    picture: Generated<number | null>;
    /** Incremented by every change but that of the picture. */
    version: Generated<number>;
    created_at: string;
    created_by: number | null;
  };
  /** Earlier paths of places, until somebody makes a new place of that name. */
  readonly place_aliases: {
    key: string;
    path: string;
    place: number;
  };
  /** What a place was before a batch, and its version after it. */
  readonly place_changes: {
    batch: number;
    place: number;
    parent: number | null;
    path: string;
    key: string | null;
    kept: number;
    merged_into: number | null;
    version: number;
    /** Its picture before the batch and after it; both null if that was not changed. */
    picture: Generated<number | null>;
    picture_after: Generated<number | null>;
  };
  /** What happened to the items: their history. */
  readonly item_events: {
    /**
     * Counted up in the transaction of the change, so ids are in the order of the commits. The addition of a single
     * item has the number of the item, negative: see items/record-addition.ts.
     */
    id: number;
    item_number: number;
    /** The name and the version of the item after the change. A name that was removed for ever is empty. */
    item_name: string;
    version: number;
    at: string;
    account_id: number | null;
    /**
     * `removed` and `value removed`: an administrator removed
     * the item with its history for ever, or one old value.
     */
    kind:
      | 'added'
      | 'changed'
      | 'counted'
      | 'lent'
      | 'returned'
      | 'deleted'
      | 'restored'
      | 'files'
      | 'removed'
      | 'value removed';
    /** Why, in the words of the user, or empty. Of a `value removed`: the kind of value. */
    reason: string;
    /** The id in `batches`, as text; null for the change of a single item. */
    batch: string | null;
    /** The id of the event that this one undoes. */
    undoes: number | null;
    /** JSON: the old and the new value of each changed field. */
    changes: string;
    /** JSON: the whole item, while it is deleted and can be restored. */
    snapshot: string | null;
  };
  /** A form or an imported file that changed several items. */
  readonly batches: {
    id: number;
    at: string;
    account_id: number | null;
    kind:
      | 'moved'
      | 'tagged'
      | 'untagged'
      | 'counted'
      | 'lent'
      | 'returned'
      | 'deleted'
      | 'renamed'
      | 'merged'
      | 'set'
      | 'imported'
      | 'places added'
      | 'place changed'
      | 'place pictured'
      | 'place removed'
      | 'undone';
    /** JSON: see items/events/batches.ts. Empty if its words were removed for ever. */
    about: string;
    /** How many events it has, and how many of them were undone. */
    events: number;
    undone: number;
    /** The newest event; null before the first. */
    last_event: number | null;
    /** The batch that this one has undone. */
    undoes: number | null;
  };
  /** What somebody has counted: see items/count-records.ts. */
  readonly counts: {
    id: number;
    at: string;
    account_id: number;
    /** A random text of the form, which is the same on all pages of a list. */
    form: string;
    /** JSON: the filters of the list. Null if they were removed for ever. */
    about: string | null;
    /** As in `item_facets`, if the list was that of a location or a tag, without any other filter. */
    field: 'location' | 'tag' | null;
    key: string | null;
    /** How many items the list had. */
    listed: number;
    /** How many of its lines: all, those with less and with more than was stored, and those without a number. */
    items: Generated<number>;
    missing: Generated<number>;
    surplus: Generated<number>;
    uncounted: Generated<number>;
  };
  readonly count_lines: {
    count_id: number;
    item_number: number;
    /** The name at that time; empty if it was removed for ever. */
    name: string;
    /** The quantity that the page showed. */
    expected: number;
    /** Null if no number was entered. */
    found: number | null;
    /** The batch that has stored what was found. */
    batch: Generated<number | null>;
  };
  /** A file that is imported: see imports/import-model.ts. */
  readonly imports: {
    id: number;
    account_id: number;
    file_name: string;
    /** SHA-256 of the file. */
    file_hash: string;
    /** SHA-256 of what the preview was made of; empty while the file is being read. */
    plan_hash: string;
    /** `columns`: waits for what its columns are. `checked`: has a plan. */
    state: 'reading' | 'columns' | 'checked' | 'importing' | 'done' | 'stopped';
    /** Why it was stopped, or empty. */
    problem: string;
    /** The batch of its events in the history; null before it runs. */
    batch: Generated<number | null>;
    created_at: string;
    updated_at: string;
    rows_to_create: Generated<number>;
    rows_to_change: Generated<number>;
    rows_unchanged: Generated<number>;
    rows_refused: Generated<number>;
    /** Rows of items that exist, and rows that are twice in the file. */
    rows_here: Generated<number>;
    rows_doubled: Generated<number>;
    /** Rows with the reference of an item that has another name. */
    rows_to_ask: Generated<number>;
    /** JSON: see imports/file-columns.ts. Empty while the file is being read. */
    columns: Generated<string>;
    /** JSON: the fields that it makes, see imports/store-plan.ts. */
    fields: Generated<string>;
    /** JSON: see imports/plan-photos.ts. Null for an import without a zip. */
    photos: Generated<string | null>;
    /** How many plans were made, and which of them counts. */
    plans: Generated<number>;
    plan: Generated<number>;
    /** What to do with rows of items that exist. */
    here: Generated<'leave' | 'update' | 'add'>;
    /** What to do with rows to ask about. */
    asked: Generated<'leave' | 'update' | 'add'>;
    /** How many of the rows to create and to change are done. */
    rows_done: Generated<number>;
    rows_created: Generated<number>;
    rows_changed: Generated<number>;
    /** Rows that were not imported, because the item was changed after the preview. */
    rows_left: Generated<number>;
    /** Rows that were left out as somebody has chosen. */
    rows_left_out: Generated<number>;
    /** JSON: the first rows of each kind. */
    preview: string;
    /** JSON: the first rows that were left as they are. */
    refusals: string;
    /** The process that runs it, and until when others leave it alone. */
    holder: Generated<string | null>;
    held_until: Generated<string | null>;
  };
  /** Some rows of an import that are still to do. */
  readonly import_pieces: {
    import_id: number;
    position: number;
    /** JSON. */
    work: string;
  };
  /** The rows of the file: JSON, a list of lines and cells. */
  readonly import_rows: {
    import_id: number;
    position: number;
    rows: string;
  };
  /** The lines of the file that were refused, and why: JSON. */
  readonly import_refusals: {
    import_id: number;
    position: number;
    rows: string;
  };
  /** Files of the zip of an import that are still to be attached. */
  readonly import_photos: {
    import_id: number;
    position: number;
    /** In the zip. */
    path: string;
    name: string;
    type: string;
    /** The row of the thing; null without a table. */
    line: number | null;
    /** The row that this one repeats; null for a row that repeats none. */
    first_line: number | null;
    /** Null until the row is written, and if it is left out. */
    item_number: number | null;
  };
  /** The zips of imports, by their ids in the file store. */
  readonly import_zips: {
    file: string;
    /** The import may be gone. */
    import_id: number;
  };
  /** What the columns of files are, as chosen last, by the SHA-256 of their headings. */
  readonly import_columns: {
    headings: string;
    /** JSON: see imports/columns.ts. */
    uses: string;
  };
  /** The batch that has imported a file, by the SHA-256 of the file. */
  readonly imported_files: {
    hash: string;
    batch: number;
  };
  /** By what later files know the items: see items/item-sources.ts. */
  readonly item_sources: {
    source: string;
    /** The kind of file that a reference belongs to; empty for any. Or `row`, or `number`. */
    kind: string;
    /** The item may be deleted. */
    item_number: number;
  };
  /**
   * Records that a form was carried out. A form with the same owner, key and digest gets the same
   * path.
   */
  readonly receipts: {
    /** The id of the account, or 0 for a visitor without a session. */
    owner: number;
    once: string;
    digest: string;
    path: string;
    created_at: string;
  };
  readonly counters: {
    name: string;
    value: number;
  };
  /** A revision of the data, which triggers write: see migrations/0001-first-release.ts. */
  readonly revisions: {
    readonly name: 'items';
    /** A random value, so a revision never recurs, not even in a database restored from a backup. */
    readonly revision: string;
    /** The same of the definitions of fields; empty before the first one. */
    readonly fields: Generated<string>;
  };
  readonly failed_log_ins: {
    /** `account:<username key>`, `address:<network>` or `device:<key>`. */
    subject: string;
    at: string;
    /** The id of the attempt while it is pending; empty once it has failed. */
    pending: Generated<string>;
  };
}
