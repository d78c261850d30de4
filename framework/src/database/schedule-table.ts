/**
 * The rows of schedules in the table of an outbox: one for each, which stays. It is due at the next time, a run is a
 * job like others, and when that has ended, the row is due at the time after it. So a cluster has one run of a schedule
 * at once, and no process needs to know of the others.
 *
 * `at` in a row is the time of its run: the first one since which none has succeeded.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Schedule } from './job.ts';
import {
  IS_MARKED,
  IS_SCHEDULE,
  MARKS,
  type OutboxRows,
  SCHEDULED,
  type TakenJob,
  toText,
} from './outbox-rows.ts';

/** What an outbox knows of a schedule. */
export interface ScheduleState {
  readonly name: string;
  /** The next time. Of a run that is late, runs, or has failed: the first time since which none has succeeded. */
  readonly at: Date;
  readonly isRunning: boolean;
  /** The message of the last attempt, if it has failed. */
  readonly error: string | null;
  /** When the last run that succeeded had begun. */
  readonly succeededAt: Date | null;
}

/** The payload of a row. */
interface Plan {
  readonly times: string;
  readonly at: string;
  /** When the last run that succeeded had begun. */
  readonly done: string | null;
  /** Makes keys differ from those of another database. */
  readonly seed: string;
}

/** A run that was taken. */
export interface Run {
  readonly at: Date;
  readonly key: string;
  /** It is too late to begin, by the choice of the schedule. */
  readonly isMissed: boolean;
}

export interface ScheduleTable {
  /**
   * Adds schedules that are new, and corrects times that a wrong clock has set. If `isWhole`, also those of a pattern
   * that has changed, and removes schedules that no program has any more.
   */
  readonly plan: (now: number, isWhole: boolean) => Promise<void>;
  readonly toRun: (job: TakenJob, now: number) => Run;
  /** After a run that began at `start` and has succeeded, or was left out. */
  readonly finish: (job: TakenJob, start: number, isDone: boolean) => Promise<boolean>;
  /** After one that has failed: `retryAt` is when to try it again, unless a next time comes before. */
  readonly postpone: (
    job: TakenJob,
    start: number,
    retryAt: number,
    error: string,
  ) => Promise<boolean>;
  readonly list: () => Promise<readonly ScheduleState[]>;
}

/** Milliseconds. */
const MISSED_AFTER = 5 * 60_000;
/** If a clock was set back by less, no time comes twice. */
const SET_BACK = 3_600_000;
/** A program that knows a schedule would have run it by then. */
const REMOVED_AFTER = 30 * 86_400_000;

/** Schedules by the ids of their rows. Clocks may differ by less than `skew` milliseconds. */
export function createScheduleTable(
  { name: table, read, write }: OutboxRows,
  schedules: ReadonlyMap<string, Schedule>,
  skew: number,
): ScheduleTable {
  const ids = [...schedules.keys()];
  const places = ids.map(() => '?').join();
  const select = `select id, payload, due_at, error from ${table} where id in (${places})`;
  const insert = `insert into ${table} (id, name, payload, attempts, due_at, error, created_at)
    values (?, ?, ?, 0, ?, '', ?) on conflict (id) do nothing`;
  // Another process may have taken or planned it meanwhile.
  const move = `update ${table} set payload = ?, attempts = 0, due_at = ?, error = ?
    where id = ? and payload = ? and not ${IS_MARKED}`;
  // Another process may have taken it again.
  const end = `update ${table} set payload = ?, attempts = ?, due_at = ?, error = ?
    where id = ? and payload = ? and attempts = ? and ${IS_MARKED}`;
  const isUnknown = `${IS_SCHEDULE}${ids.length === 0 ? '' : ` and id not in (${places})`} and due_at <= ?`;
  const selectUnknown = `select id from ${table} where ${isUnknown} limit 1`;
  const deleteUnknown = `delete from ${table} where ${isUnknown}`;

  const find = () => (ids.length === 0 ? [] : read<PlanRow>(select, ids));
  const scheduleOf = (id: string): Schedule => {
    const schedule = schedules.get(id);
    if (schedule === undefined) throw new Error(`Cannot find the schedule ${id}.`);
    return schedule;
  };

  function mustMove(row: PlanRow, plan: Plan, now: number, isWhole: boolean): boolean {
    if (MARKS.has(row.error)) return false;
    if (row.due_at === null) return true;
    const schedule = scheduleOf(row.id);
    if (isWhole && plan.times !== schedule.times) return true;
    const done = Date.parse(plan.done ?? '');
    const from = done > now && done <= now + SET_BACK ? done : now;
    return Date.parse(row.due_at) > schedule.nextAfter(from + skew);
  }

  async function removeUnknown(now: number): Promise<void> {
    const values = [...ids, toText(now - REMOVED_AFTER)];
    const rows = await read(selectUnknown, values);
    if (rows.length > 0) await write(({ run }) => run(deleteUnknown, values));
  }

  return {
    async plan(now, isWhole) {
      const rows = new Map((await find()).map((row) => [row.id, row]));
      for (const [id, { times, nextAfter }] of schedules) {
        const row = rows.get(id);
        if (row === undefined) {
          const at = toText(nextAfter(now));
          const plan: Plan = { times, at, done: null, seed: randomUUID() };
          const values = [id, id, JSON.stringify(plan), at, toText(now)];
          await write(({ run }) => run(insert, values));
          continue;
        }
        const plan = toPlan(row.payload);
        if (!mustMove(row, plan, now, isWhole)) continue;
        const at = toText(nextAfter(now));
        const moved = JSON.stringify({ ...plan, times, at });
        await write(({ run }) => run(move, [moved, at, row.error, id, row.payload]));
      }
      if (isWhole) await removeUnknown(now);
    },
    toRun({ id, payload }, now) {
      const { at, seed } = toPlan(payload);
      const isLate = now - Date.parse(at) > MISSED_AFTER;
      return {
        at: new Date(at),
        key: toKey(`${seed} ${at}`),
        isMissed: isLate && !scheduleOf(id).catchUp,
      };
    },
    finish: ({ id, payload, attempts }, start, isDone) =>
      write(async ({ run }) => {
        const plan = toPlan(payload);
        const { times, nextAfter } = scheduleOf(id);
        // A time after the one that was missed may not be late yet.
        const from = isDone ? start : start - MISSED_AFTER;
        const at = toText(nextAfter(Math.max(Date.parse(plan.at), from)));
        const done = isDone ? toText(start) : plan.done;
        const next = JSON.stringify({ ...plan, times, at, done });
        return (await run(end, [next, 0, at, '', id, payload, attempts])).changes > 0;
      }),
    postpone: ({ id, payload, attempts }, start, retryAt, error) =>
      write(async ({ run }) => {
        const next = scheduleOf(id).nextAfter(Math.max(Date.parse(toPlan(payload).at), start));
        const dueAt = toText(Math.min(next, retryAt));
        const values = [payload, attempts, dueAt, error, id, payload, attempts];
        return (await run(end, values)).changes > 0;
      }),
    async list() {
      const rows = (await find()).toSorted(
        (one, other) => ids.indexOf(one.id) - ids.indexOf(other.id),
      );
      return rows.map(toState);
    },
  };
}

export interface PlanRow {
  readonly id: string;
  readonly payload: string;
  readonly due_at: string | null;
  readonly error: string;
}

/** What a row of the table says of its schedule. */
export function toState({ id, payload, error }: Omit<PlanRow, 'due_at'>): ScheduleState {
  const { at, done } = toPlan(payload);
  const isRunning = MARKS.has(error);
  return {
    name: id.slice(SCHEDULED.length),
    at: new Date(at),
    isRunning,
    error: isRunning || error === '' ? null : error,
    succeededAt: done === null ? null : new Date(done),
  };
}

const toPlan = (payload: string): Plan => JSON.parse(payload);

/** A UUID, as the keys of other jobs: version 8 of RFC 9562. */
function toKey(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
