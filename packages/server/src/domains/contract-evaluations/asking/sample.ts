import { type RuleDefinition, sampleStatements } from '../../contract-rules/index.ts';
import { type AskDeps, ask, isOfSource, type RuleSource, refusalOf, type Sample } from './source.ts';

type Sampled = { readonly sample: Sample | null; readonly sampleReason: string | null };

const without = (sampleReason: string): Sampled => ({ sample: null, sampleReason });

/**
 * Reads rows that violate a rule, with the cheapest statement that returns any.
 *
 * @param measured.sample  Rows that came with the verdict.
 * @returns the rows, or a text that explains why there are none.
 * @throws the reason of the signal if it is aborted.
 */
export async function sampleOf(
  deps: AskDeps,
  source: RuleSource,
  rule: RuleDefinition,
  { keepsSamples, sample }: { readonly keepsSamples: boolean; readonly sample: Sample | null },
): Promise<Sampled> {
  if (!keepsSamples) return without('The contract does not store failing rows.');
  if (sample !== null) return { sample, sampleReason: null };
  const statements = sampleStatements(rule, source);
  if (statements === null) return without('The rule is about the whole table, so no single row breaks it.');
  let reason =
    rule.type === 'Freshness'
      ? 'No row has a time.'
      : 'No row breaks the rule any more: the table has changed since it was counted.';
  for (const statement of statements) {
    try {
      const { columns, rows } = await ask(deps, source, statement);
      if (rows.length > 0) return { sample: { columns, rows }, sampleReason: null };
    } catch (error) {
      const refusal = refusalOf(error, source.signal);
      reason = `The failing rows could not be read: ${refusal.message}`;
      if (isOfSource(refusal)) break;
    }
  }
  return without(reason);
}
