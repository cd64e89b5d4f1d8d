export {
  convertForDisplay,
  findDisplayNumber,
  isCurrencyCode,
  minorUnitDigits,
  roundToMinorUnit,
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
