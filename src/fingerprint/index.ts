export { WhorlError, type WhorlErrorCode } from '../errors.js';
export { type CompareOptions, type Comparison, compare, lowestShare, priors } from './compare.js';
export { expectedDrift, type Facet, type FacetGroup, type FacetName, facetGroups, facets } from './facets.js';
export { type FacetDigests, formatVersion, unreadable } from './format.js';
export { type IntegrityBit, readIntegrity } from './integrity.js';
export { type Descriptor, type ParsedFingerprint, parse } from './parse.js';
export { type Weight, weights } from './weights.js';
