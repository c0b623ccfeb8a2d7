export { proposeCandidate } from './candidate-store.ts';
export { createCandidatesService } from './candidates.ts';
export { createNoteExamples } from './note-schema.ts';
export { goldenRoutes } from './routes.ts';
export { createGoldenService } from './service.ts';
export { checkedExamples, exampleFor, soundExamples } from './store.ts';
