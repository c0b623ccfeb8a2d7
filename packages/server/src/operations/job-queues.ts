/** Every queue that the service's jobs are in; the engine is made with these and no others. */
export const jobQueues = [
  'runs',
  'deliveries',
  'contracts',
  'schemas',
  'migrations',
  'ai',
  'maintenance',
] as const;
export type JobQueue = (typeof jobQueues)[number];
