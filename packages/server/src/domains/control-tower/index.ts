export { subscriptionGauges } from './gauges.ts';
export { towerRoutes } from './routes.ts';
export { createTowerService, type TowerService } from './service.ts';
export { createWorkers, presentWorkers, type Workers } from './workers.ts';
