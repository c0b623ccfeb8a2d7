export { detect } from './detect/detect.ts';
export type { Assessment, Point } from './detect/point.ts';
export { anomalyRoutes } from './routes.ts';
export { createAnomaliesService } from './service.ts';
export { assessCount } from './watch.ts';
