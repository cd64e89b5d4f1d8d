export {
  convertForDisplay,
  findDisplayNumber,
  isCurrencyCode,
  minorUnitDigits,
  roundToMinorUnit,
  vatOf,
} from './currency';
export {
  Decimal,
  decimal,
  findJsonNumber,
  isExactJsonNumber,
  toExactJsonNumber,
  toFixedString,
  toJsonNumber,
} from './decimal';
export { splitProportionally } from './split-proportionally';
