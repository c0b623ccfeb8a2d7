import { listAudit } from '@svc/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { AuditLog } from './log.ts';

export const auditRoutes = (log: AuditLog): Route[] => [
  route(listAudit, (context) => log.list(context.query, context)),
];
