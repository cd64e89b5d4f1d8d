export type { Contract, Operation, Schema } from './contract';
export { contractOf } from './contract-of';
export { contractBreaks, sentenceOf, type Break } from './contract-breaks';
