export {
  createLexicalIndex,
  type Field,
  type IndexedDocument,
  type LexicalIndex,
  type Match,
} from './lexical-index.ts';
