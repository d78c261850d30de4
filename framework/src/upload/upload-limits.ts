/** The limits of all forms with files of a site. Those of one file are in its field. */

import { COUNT, type OptionKinds } from '../http/check-options.ts';
import type { Request } from '../http/request.ts';
import { Slot } from '../http/slot.ts';
import type { Files } from './files.ts';
import type { Parking } from './parking.ts';

export interface UploadLimits {
  /** Bytes of all files of a form; by default 1 GB. */
  readonly total?: number;
  /** Files of a form; 20 by default. */
  readonly count?: number;
  /** Seconds of waiting for the client; an hour by default. */
  readonly time?: number;
  /** Bytes in a second, on average, after the first half minute; 2,000 by default. */
  readonly rate?: number;
  /**
   * Bytes of all parked files of the site; 10 GB by default, and a file for each 100 kB. Visitors have half of it, one
   * network of visitors a tenth. Beyond it, a file must be chosen again.
   */
  readonly parked?: number;
}

export const UPLOAD_LIMITS: OptionKinds<UploadLimits> = {
  total: COUNT,
  count: COUNT,
  time: COUNT,
  rate: COUNT,
  parked: COUNT,
};

export const DEFAULT_LIMITS: Required<UploadLimits> = {
  total: 1_000_000_000,
  count: 20,
  time: 3_600,
  rate: 2_000,
  parked: 10_000_000_000,
};

/** What a site gives to the requests of its forms. */
export interface Uploads {
  readonly files: Files<unknown>;
  readonly limits: Required<UploadLimits>;
  readonly parking: Parking;
}

export const uploadsSlot: Slot<Uploads | null> = new Slot(null);

/** Throws for a request of no site. `action` is what needs them, for the error: `send a file`. */
export function requireUploads(request: Request, action: string): Uploads {
  const uploads = uploadsSlot.of(request);
  if (uploads !== null) return uploads;
  throw new TypeError(
    `Cannot ${action} at ${request.path}: its chain has no store for files. Make the router with createSite(stores).`,
  );
}
