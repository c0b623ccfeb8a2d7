import { StatementFault } from './shop.ts';

/** Error response in the service's format. */
export class ServiceError extends Error {
  readonly code: number;
  readonly body: object;
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    const status = code === 404 ? 'NOT_FOUND' : code === 403 ? 'PERMISSION_DENIED' : 'INVALID_ARGUMENT';
    this.body = { error: { code, message, errors: [{ message, domain: 'global', reason }], status } };
  }
}

/** Runs the work and converts a faulty statement into an error response. */
export function asService<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof StatementFault)) throw error;
    throw new ServiceError(error.reason === 'notFound' ? 404 : 400, error.reason, error.message);
  }
}
