export { createDenials, type Denials } from './denials.ts';
export { type AuditLog, createAuditLog } from './log.ts';
export { auditRoutes } from './routes.ts';
export {
  type Actor,
  type Audit,
  type AuditEvent,
  type CallerActor,
  createAudit,
  systemActor,
} from './service.ts';
