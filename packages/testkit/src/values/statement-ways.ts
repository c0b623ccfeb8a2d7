import { make } from '../client/make.ts';
import type { EvaluationDetail } from '../runs/evaluate.ts';
import { until } from '../runs/until.ts';
import { allPlaces, assertOk, type Compared, cellAt, isSame } from './compared.ts';
import { jsonForm } from './documented-form.ts';

/** Compares the failing rows of a contract. Skips DuckDB: its files contain texts, and a contract does not cast. */
export async function compareSample(compared: Compared): Promise<void> {
  const { root, fixture, source, sourceId, report } = compared;
  if (source.body.engine === 'DuckDB') return;
  assertOk(await root.post(`/svc/api/data-sources/${sourceId}/refresh-metadata`), 'A refresh of metadata');
  const rule = {
    name: 'High',
    type: 'Range',
    columns: ['id'],
    config: { min: 1_000_000 },
    severity: 'Critical',
    warnAbove: 0,
    failAbove: 1,
  };
  const place = {
    projectId: fixture.projectId,
    dataSourceId: sourceId,
    schemaName: source.schema,
    tableName: 'zoo',
  };
  const { id } = await make(root, '/svc/api/data-quality/contracts', {
    ...place,
    name: `Values ${sourceId}`,
    rules: [rule],
    warnScore: 0,
    failScore: 0,
    cronExpression: '0 0 1 1 *',
    timeZone: 'UTC',
    recipientIds: [],
  });
  const contract = `/svc/api/data-quality/contracts/${id}`;
  const started = await root.post(`${contract}/evaluate`);
  assertOk(started, 'An evaluation');
  const { results } = await until(
    'the end of an evaluation',
    async (): Promise<EvaluationDetail | undefined> => {
      const { body } = await root.get(`${contract}/evaluations/${started.body.evaluationId}`);
      return body.finishedAt ? body : undefined;
    },
  );
  const sample = results[0]?.sample;
  if (!sample) throw new Error(`The contract has no sample: ${JSON.stringify(results)}`);
  const idPlace = sample.columns.indexOf('id');
  for (const cells of sample.rows)
    for (const [index, name] of sample.columns.entries()) {
      if (index === idPlace) continue;
      const row = Number(cells[idPlace]);
      const { kind, type, text } = cellAt(compared, row, Number(name.slice(1)) - 1);
      const [expected, actual] = [jsonForm(kind, text), cells[index]];
      report.check({ way: 'Contract', type, row, expected, actual, isSame: isSame(expected, actual) });
    }
}

const fraction = /^(.*\d)\.(\d+)(Z?)$/;

/** Removes trailing zeros. A join gives the decimals of a column one scale and removes trailing zeros of seconds. */
const unscaled = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .replace(fraction, (_all, whole: string, digits: string, zone: string) => {
          const kept = digits.replace(/0+$/, '');
          return `${whole}${kept === '' ? '' : `.${kept}`}${zone}`;
        })
        .replace(/^-0$/, '0')
    : value;

const rescaled: ReadonlySet<string> = new Set(['decimal', 'time', 'timestamp', 'timestamptz']);

const refusalPattern = /Row (\d+) has a value in the column (\w+)/;
const refusalsMax = 12;

/** Joins one column without the excluded rows. Returns the refused row; undefined after a success. */
async function joinColumn(
  compared: Compared,
  place: number,
  excluded: readonly number[],
): Promise<number | undefined> {
  const { root, fixture, source, sourceId, report } = compared;
  const { kind, type } = cellAt(compared, 0, place);
  const name = `c${place + 1}`;
  const where = excluded.length === 0 ? '' : ` where id not in (${excluded.join(', ')})`;
  const sql = source.select([place]).replace(' order by id', `${where} order by id`);
  const steps = [
    { dataSourceId: sourceId, sql },
    { dataSourceId: fixture.dataSourceId, sql: 'select 1 as one' },
  ];
  const finalQuery = `select id, ${name} from step1, step2 order by id`;
  const draft = { projectId: fixture.projectId, steps, finalQuery };
  const answer = await root.post('/svc/api/queries/preview?extent=Whole', draft);
  if (answer.status > 299) {
    const [, row, column] = refusalPattern.exec(answer.text) ?? [];
    const ids = source.texts.map((_row, id) => id).filter((id) => !excluded.includes(id));
    const refused = column === name ? ids[Number(row) - 1] : undefined;
    const check = { way: 'Refusal', type, row: Number(row), expected: 'row and column', actual: answer.text };
    report.check({ ...check, isSame: refused !== undefined });
    return refused;
  }
  const rows: [unknown, unknown][] = answer.body.rows;
  for (const [id, actual] of rows) {
    const row = Number(id);
    const expected = jsonForm(kind, cellAt(compared, row, place).text);
    const isEqual =
      isSame(expected, actual) || (rescaled.has(kind) && unscaled(expected) === unscaled(actual));
    report.check({ way: 'Join', type, row, expected, actual, isSame: isEqual });
  }
  return undefined;
}

/** Compares queries over several data sources. Each column has its own query, so that a refusal concerns one column. */
export async function compareJoins(compared: Compared): Promise<void> {
  for (const place of allPlaces(compared)) {
    const excluded: number[] = [];
    while (excluded.length < refusalsMax) {
      const refused = await joinColumn(compared, place, excluded);
      if (refused === undefined) break;
      compared.report.refuse();
      excluded.push(refused);
    }
  }
}
