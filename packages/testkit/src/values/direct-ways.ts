import { make } from '../client/make.ts';
import { allPlaces, assertOk, type Compared, cellAt, compareRows } from './compared.ts';
import { csvForm, isSheetForm } from './documented-form.ts';
import { delimitedRows, sheetRows } from './files.ts';

const withoutId = (rows: readonly (readonly unknown[])[]): unknown[][] => rows.map((row) => row.slice(1));

function assertCount(rows: readonly unknown[], { source }: Compared, way: string): void {
  if (rows.length !== source.texts.length) throw new Error(`${way} has ${rows.length} rows.`);
}

/** Compares the values in REST responses and in files of the three formats. */
export async function compareFiles(compared: Compared): Promise<void> {
  const { root, authorization, fixture, source, sourceId, report } = compared;
  const steps = [{ dataSourceId: sourceId, sql: source.select(allPlaces(compared)) }];
  const body = { projectId: fixture.projectId, name: `All values ${sourceId}`, steps };
  const query = `/svc/api/queries/${(await make(root, '/svc/api/queries', body)).id}`;
  const file = async (format: string): Promise<Buffer> => {
    const answer = await fetch(`${fixture.svc.origin}${query}/export`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({ format }),
    });
    if (answer.status !== 200) throw new Error(`An export: ${answer.status} ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  };
  const preview = await root.post(`${query}/preview?extent=Whole`, {});
  assertOk(preview, 'A preview');
  const rows: unknown[][] = preview.body.rows;
  assertCount(rows, compared, 'REST');
  compareRows(compared, 'REST', withoutId(rows));
  const csv = delimitedRows((await file('Csv')).toString('utf8').slice(1), ',').slice(1);
  assertCount(csv, compared, 'CSV');
  compareRows(compared, 'CSV', withoutId(csv), csvForm);
  const records: Record<string, unknown>[] = JSON.parse((await file('Json')).toString('utf8'));
  assertCount(records, compared, 'JSON');
  compareRows(compared, 'JSON', withoutId(records.map((record) => Object.values(record))));
  const sheet = sheetRows(await file('Xlsx'));
  assertCount(sheet, compared, 'XLSX');
  for (const [row, cells] of sheet.entries())
    for (const place of allPlaces(compared)) {
      const { kind, type, text } = cellAt(compared, row, place);
      const actual = cells[place + 1];
      const isSame = isSheetForm(kind, text, actual);
      report.check({ way: 'XLSX', type, row, expected: text, actual, isSame });
    }
}

const mcpRowsMax = 30;

/** Compares the values that AI clients receive. */
export async function compareMcp(compared: Compared): Promise<void> {
  const { fixture, source, sourceId } = compared;
  const sql = source.select(allPlaces(compared));
  const args = { sql, data_source: sourceId, project_id: fixture.projectId, max_rows: mcpRowsMax };
  const params = { name: 'query', arguments: args };
  const answer = await fetch(`${fixture.svc.origin}/svc/mcp`, {
    method: 'POST',
    headers: {
      authorization: compared.authorization,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result } = JSON.parse(await answer.text());
  if (result.isError) throw new Error(`MCP: ${result.content[0].text}`);
  const rows: unknown[][] = result.structuredContent.rows;
  if (rows.length !== Math.min(mcpRowsMax, source.texts.length))
    throw new Error(`MCP has ${rows.length} rows.`);
  compareRows(compared, 'MCP', withoutId(rows));
}
