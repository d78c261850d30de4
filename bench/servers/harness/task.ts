/** A task that all contenders run alternately, and its figures, each a row of the table. */
import type { Kind } from '../contenders/settings.ts';
import type { Name } from './contenders.ts';

export interface Subject {
  readonly name: Name;
  readonly kind: Kind;
}

/** The figures by their names. */
export type Sample = Readonly<Partial<Record<FigureName, number>>>;

export interface Task {
  readonly name: string;
  readonly title: string;
  readonly kind: Kind;
  /** The rows, in their order. */
  readonly figures: readonly FigureName[];
  /** Whose CPU time is 1.00; measured first in every round. */
  readonly yardstick: Subject | null;
  /** Null when the subject has no such thing. */
  readonly measure: (subject: Subject) => Promise<Sample | null>;
}

export type FigureName = keyof typeof FIGURES;

/** `digits` stand after the point. */
export const FIGURES = {
  cpu: { label: 'CPU µs a request', digits: 1 },
  throughput: { label: 'requests/s', digits: 0 },
  creates: { label: 'creates/s', digits: 0 },
  p99: { label: 'p99, ms', digits: 1 },
  perSync: { label: 'creates a sync', digits: 1 },
  listP50: { label: 'list meanwhile: median, ms', digits: 1 },
  listP99: { label: 'list meanwhile: p99, ms', digits: 1 },
  start: { label: 'ms', digits: 0 },
  startCpu: { label: 'CPU ms', digits: 0 },
  memory: { label: 'MB', digits: 1 },
} as const;
