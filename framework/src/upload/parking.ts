/**
 * The places of parked files. What is parked belongs to no record yet, so anybody could fill the store with it: all
 * parked files have a limit together, visitors have half of it, and the network of a visitor has a tenth. Each place is
 * counted as its bytes arrive, so files that arrive at once do not pass a limit together.
 *
 * The sum of all files is read from their records, at most every ten seconds. What this process has received since then
 * is added. The share of a network is counted by each process, for an hour: so long a visitor's file is parked.
 */
import { toNetworks } from '../http/client-network.ts';
import type { Request } from '../http/request.ts';
import type { Amount, FileRecords } from './file-records.ts';

/** How long the file of a visitor is parked, in milliseconds. */
export const VISITOR_PARKED = 3_600_000;
/** Bytes of the limit for each file that may be parked: small files cost rows and inodes. */
const BYTES_PER_FILE = 100_000;
/** Milliseconds after which the sum is read again, and after which it is if there seems to be no place. */
const STALE = 10_000;
const STALE_IF_FULL = 1_000;

/** Places that are counted together. */
class Level {
  readonly #max: Amount;
  readonly #onChange: (level: Level) => void;
  /** According to the records. */
  stored: Amount = { files: 0, bytes: 0 };
  files = 0;
  bytes = 0;

  constructor(bytes: number, onChange: (level: Level) => void = () => {}) {
    this.#max = { bytes, files: Math.ceil(bytes / BYTES_PER_FILE) };
    this.#onChange = onChange;
  }

  /** Whether no further file is allowed. */
  get isFull(): boolean {
    const { files, bytes } = this.#max;
    return this.stored.files + this.files >= files || this.stored.bytes + this.bytes >= bytes;
  }

  get isExceeded(): boolean {
    const { files, bytes } = this.#max;
    return this.stored.files + this.files > files || this.stored.bytes + this.bytes > bytes;
  }

  add(files: number, bytes: number): void {
    this.files += files;
    this.bytes += bytes;
    this.#onChange(this);
  }
}

/** The place of one file. */
export class ParkingPlace {
  #levels: readonly Level[];
  #bytes = 0;

  constructor(levels: readonly Level[]) {
    this.#levels = levels;
    for (const level of levels) level.add(1, 0);
    if (levels.some(({ isExceeded }) => isExceeded)) this.giveBack();
  }

  get isTaken(): boolean {
    return this.#levels.length > 0;
  }

  /** Counts bytes that have arrived. Gives the place back if they are too many: false from then on. */
  take(bytes: number): boolean {
    this.#bytes += bytes;
    for (const level of this.#levels) level.add(0, bytes);
    if (this.#levels.some(({ isExceeded }) => isExceeded)) this.giveBack();
    return this.isTaken;
  }

  giveBack(): void {
    this.leave(() => true);
  }

  /** Counts no longer in these levels. */
  leave(isLeft: (level: Level) => boolean): void {
    for (const level of this.#levels) if (isLeft(level)) level.add(-1, -this.#bytes);
    this.#levels = this.#levels.filter((level) => !isLeft(level));
  }
}

/** Whose places they are: `owner` is the id of a user, null for a visitor. */
interface Client {
  readonly request: Request;
  readonly owner: string | null;
  /** Whether the form was refused before it was read: then a user has no more than a network. */
  readonly isRefused: boolean;
}

/** The `Files` of the site. */
interface Parked {
  readonly records: Pick<FileRecords<never>, 'parked'>;
}

export class Parking {
  readonly #files: Parked;
  readonly #limit: number;
  readonly #all: Level;
  readonly #visitors: Level;
  readonly #clients = new Map<string, Level>();
  /** Places that the sum may lack. */
  #recent: ParkingPlace[] = [];
  /** Places that count for a client until a time, in its order. */
  readonly #waiting: { readonly until: number; readonly place: ParkingPlace }[] = [];
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | null = null;

  constructor(files: Parked, limit: number) {
    this.#files = files;
    this.#limit = limit;
    this.#all = new Level(limit);
    this.#visitors = new Level(limit / 2);
  }

  /** Makes the places of a form. One that is not taken is that of a file which cannot be parked. */
  async open(client: Client): Promise<() => ParkingPlace> {
    const isFull = () => this.#levelsOf(client).some((level) => level.isFull);
    const age = performance.now() - this.#readAt;
    // Later, the sum before is good enough.
    const mustWait = age === Number.POSITIVE_INFINITY || (age > STALE_IF_FULL && isFull());
    if (mustWait) await this.#read();
    else if (age > STALE) void this.#read();
    this.#release();
    return () => new ParkingPlace(isFull() ? [] : this.#levelsOf(client));
  }

  /** The file of the place is complete, and its record is written. */
  settle(place: ParkingPlace): void {
    this.#recent.push(place);
    this.#waiting.push({ until: performance.now() + VISITOR_PARKED, place });
  }

  #levelsOf({ request, owner, isRefused }: Client): readonly Level[] {
    const tenth = this.#limit / 10;
    if (owner !== null && !isRefused) return [this.#all];
    if (owner !== null) return [this.#all, this.#levelOf(`user ${owner}`, tenth)];
    const networks = toNetworks(request.address).map((network, index) =>
      this.#levelOf(network, tenth * 2 ** index),
    );
    return [this.#all, this.#visitors, ...networks];
  }

  #levelOf(client: string, bytes: number): Level {
    const found = this.#clients.get(client);
    if (found !== undefined) return found;
    return new Level(bytes, (level) => {
      if (level.files === 0) this.#clients.delete(client);
      else this.#clients.set(client, level);
    });
  }

  /** Calls that arrive while the sum is read share it. A database that is away says so when the record is written. */
  #read(): Promise<void> {
    this.#reading ??= this.#readSum().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readSum(): Promise<void> {
    const counted = this.#recent;
    this.#recent = [];
    try {
      const { all, visitors } = await this.#files.records.parked();
      this.#all.stored = all;
      this.#visitors.stored = visitors;
      for (const place of counted)
        place.leave((level) => level === this.#all || level === this.#visitors);
    } catch {
      this.#recent = [...counted, ...this.#recent];
    }
    // Also after a failure: not every form waits for a database that is too slow.
    this.#readAt = performance.now();
  }

  /** Gives back the places of clients whose time is over. */
  #release(): void {
    const now = performance.now();
    const left = this.#waiting.findIndex(({ until }) => until > now);
    const isOver = (level: Level) => level !== this.#all && level !== this.#visitors;
    for (const { place } of this.#waiting.splice(0, left === -1 ? this.#waiting.length : left))
      place.leave(isOver);
  }
}
