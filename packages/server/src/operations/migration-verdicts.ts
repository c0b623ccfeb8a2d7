import { readFileSync } from 'node:fs';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';

/** Written by `trials/previous-version`, from the behaviour of the previous version during each migration. */
const file = new URL('../../migrations/verdicts.generated.json', import.meta.url);

const MigrationVerdict = Type.Object({
  schema: Type.String(),
  name: Type.String(),
  checksum: Type.String(),
  verdict: Type.Union([Type.Literal('MayRoll'), Type.Literal('MustStop')]),
  because: Type.Union([Type.String(), Type.Null()]),
});
const MigrationVerdicts = Type.Object({
  /** Version or commit that ran under load. */
  previous: Type.String(),
  verdicts: Type.Array(MigrationVerdict),
});

/** Verdict of a trial on one migration file. */
export type MigrationVerdict = Static<typeof MigrationVerdict>;

/** Reads the recorded verdicts of the migrations of this version. */
export const readVerdicts = (): readonly MigrationVerdict[] =>
  Value.Parse(MigrationVerdicts, JSON.parse(readFileSync(file, 'utf8'))).verdicts;

const unjudged = 'no trial has run the previous version on it';

/**
 * Returns why the previous version must stop before a file is applied; null when a trial has shown that it runs on
 * the result. A file without a verdict, or with a changed text, requires a stop.
 */
export function stopReasonOf(
  verdicts: readonly MigrationVerdict[],
  schema: string,
  file: { readonly name: string; readonly checksum: string },
): string | null {
  const verdict = verdicts.find(
    (one) => one.schema === schema && one.name === file.name && one.checksum === file.checksum,
  );
  if (!verdict) return unjudged;
  return verdict.verdict === 'MayRoll' ? null : (verdict.because ?? unjudged);
}
