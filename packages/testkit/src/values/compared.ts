import type { HttpClient } from '../client/http-client.ts';
import type { DeliveryFixture } from '../runs/delivery-fixture.ts';
import { type DocumentedKind, jsonForm } from './documented-form.ts';
import type { Report } from './report.ts';
import type { ValueSource } from './sources.ts';

/** Source of a comparison, and the service that reads it. */
export type Compared = {
  readonly root: HttpClient;
  /** Authorization header of an AI client. */
  readonly authorization: string;
  readonly fixture: DeliveryFixture;
  readonly source: ValueSource;
  readonly sourceId: number;
  readonly report: Report;
};

/** @throws Error for an answer with a status above 299. */
export function assertOk(answer: { readonly status: number; readonly text: string }, what: string): void {
  if (answer.status > 299) throw new Error(`${what}: ${answer.status} ${answer.text.slice(0, 2_000)}`);
}

/** Returns the kind, the type and the engine's text of one cell. */
export const cellAt = (
  { source }: Compared,
  row: number,
  place: number,
): { readonly kind: DocumentedKind; readonly type: string; readonly text: string | null } => ({
  kind: source.columns[place]?.kind ?? 'other',
  type: source.columns[place]?.type ?? '',
  text: source.texts[row]?.[place] ?? null,
});

/** Compares two values. The service returns negative zero of a float as zero. */
export const isSame = (expected: unknown, actual: unknown): boolean =>
  Object.is(expected, actual) || (expected === 0 && actual === 0);

export const allPlaces = ({ source }: Compared): number[] => source.columns.map((_column, place) => place);

/** Compares rows whose cells are in the order of the columns. */
export function compareRows(
  compared: Compared,
  way: string,
  rows: readonly (readonly unknown[])[],
  form: (kind: DocumentedKind, text: string | null) => unknown = jsonForm,
): void {
  for (const [row, cells] of rows.entries())
    for (const place of allPlaces(compared)) {
      const { kind, type, text } = cellAt(compared, row, place);
      const [expected, actual] = [form(kind, text), cells[place]];
      compared.report.check({ way, type, row, expected, actual, isSame: isSame(expected, actual) });
    }
}
