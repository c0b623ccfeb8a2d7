export { goldenRoutes } from './routes.ts';
export { type CheckStatement, createGoldenService } from './service.ts';
export { exampleFor, soundExamples } from './store.ts';
