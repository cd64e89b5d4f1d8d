import type { Schemas } from '../api/client';

/** A product as the console shows it. */
interface ShownProduct {
  readonly en: string;
  readonly ar: string;
  /** Of its bars, a colour of Mantine. */
  readonly color: string;
}

type ProductType = Schemas['OrderTimeline']['order']['productType'];

const PRODUCTS: Readonly<Record<ProductType, ShownProduct>> = {
  Topup: { en: 'Top-up', ar: 'شحن رصيد', color: 'blue' },
  Esim: { en: 'eSIM', ar: 'شريحة eSIM', color: 'teal' },
  Scent: { en: 'Scent', ar: 'عطر', color: 'grape' },
};

const each = <T>(of: (product: ShownProduct) => T): Readonly<Record<ProductType, T>> =>
  Object.fromEntries(Object.entries(PRODUCTS).map(([name, product]) => [name, of(product)])) as Record<
    ProductType,
    T
  >;

/** The names of the products in a language. */
export const productWords = (language: 'en' | 'ar'): Readonly<Record<ProductType, string>> =>
  each((product) => product[language]);

/** The colours of the products' bars. */
export const PRODUCT_COLORS: Readonly<Record<string, string>> = each(({ color }) => color);
