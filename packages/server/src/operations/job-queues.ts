/** Every queue of the service's jobs. The engine has exactly these queues. */
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
