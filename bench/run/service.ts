import { type ServiceConfig, serveSvc } from './serve-svc.ts';
import { runSubject } from './subject-process.ts';

/** Runs the service as a subject. */
runSubject((config: ServiceConfig) => serveSvc(config));
