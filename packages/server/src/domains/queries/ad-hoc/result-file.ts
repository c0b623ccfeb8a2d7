import { Readable } from 'node:stream';
import type { ExportFormat, NumberFormat } from '@svc/contract';
import type { FastifyReply } from 'fastify';
import { tabularColumns } from '../../../gateways/run-sql/index.ts';
import { csvOf, jsonOf, type TabularColumn, xlsxOf } from '../../../platform/tabular/index.ts';
import type { QueryRun } from './ad-hoc-runs.ts';

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  Csv: 'text/csv; charset=utf-8; header=present',
  Xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  Json: 'application/json; charset=utf-8',
};

/** Format of a file. `numbers` applies only to JSON. */
type FileForm = { readonly format: ExportFormat; readonly numbers?: NumberFormat | undefined };

/** Streams a result as a file, at the speed of the client. A failure during the stream closes the connection. */
export function writeResultFile(reply: FastifyReply, run: QueryRun, { format, numbers }: FileForm): void {
  const columns = tabularColumns(run.result.columns);
  const ascii = run.fileName.replaceAll(/[^\w.-]/g, '_');
  reply
    .header('content-type', contentTypes[format])
    .header(
      'content-disposition',
      `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(run.fileName)}`,
    )
    .send(streamOf(columns, run, { format, numbers }));
}

function streamOf(columns: readonly TabularColumn[], run: QueryRun, { format, numbers }: FileForm): Readable {
  const { batches } = run.result;
  if (format === 'Xlsx') return xlsxOf(columns, batches);
  return Readable.from(format === 'Csv' ? csvOf(columns, batches) : jsonOf(columns, batches, numbers), {
    objectMode: false,
  });
}
