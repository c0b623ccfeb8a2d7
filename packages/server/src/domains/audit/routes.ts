import { Readable } from 'node:stream';
import { exportAudit, listAudit } from '@svc/contract';
import { answered, type Route, route } from '../../platform/http/index.ts';
import type { AuditLog } from './log.ts';

export const auditRoutes = (log: AuditLog): Route[] => [
  route(listAudit, (context) => log.list(context.query, context)),
  route(exportAudit, async (context) => {
    const lines = await log.exportCsv(context.query, context);
    context.reply
      .header('content-type', 'text/csv; charset=utf-8; header=present')
      .header('content-disposition', 'attachment; filename="audit.csv"')
      .send(Readable.from(lines, { objectMode: false }));
    return answered;
  }),
];
