export {
  convertForDisplay,
  findDisplayNumber,
  isCurrencyCode,
  minorUnitDigits,
  roundToMinorUnit,
  vatOf,
} from './currency';
export { Decimal, decimal, findJsonNumber, toFixedString, toJsonNumber } from './decimal';
export { splitProportionally } from './split-proportionally';
