/** A face of Noto: where its files are, which stands in full so that a bundle takes them along. */
export interface Face {
  readonly regular: () => string;
  readonly bold: () => string;
}

/** Has one weight, or is too large to ship two. */
const inOneWeight = (file: () => string): Face => ({ regular: file, bold: file });

/** Has Greek and Cyrillic too. */
export const LATIN: Face = {
  regular: () => require.resolve('@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf'),
  bold: () => require.resolve('@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf'),
};

/** Which face has a script's letters. */
export const FACES_BY_SCRIPT: readonly (readonly [RegExp, Face])[] = [
  [
    /\p{scx=Arabic}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-arabic/400Regular/NotoSansArabic_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-arabic/700Bold/NotoSansArabic_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Hebrew}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-hebrew/400Regular/NotoSansHebrew_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-hebrew/700Bold/NotoSansHebrew_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Thaana}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-thaana/400Regular/NotoSansThaana_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-thaana/700Bold/NotoSansThaana_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Devanagari}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-devanagari/400Regular/NotoSansDevanagari_400Regular.ttf'),
      bold: () =>
        require.resolve('@expo-google-fonts/noto-sans-devanagari/700Bold/NotoSansDevanagari_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Bengali}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-bengali/400Regular/NotoSansBengali_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-bengali/700Bold/NotoSansBengali_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Gurmukhi}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-gurmukhi/400Regular/NotoSansGurmukhi_400Regular.ttf'),
      bold: () =>
        require.resolve('@expo-google-fonts/noto-sans-gurmukhi/700Bold/NotoSansGurmukhi_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Gujarati}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-gujarati/400Regular/NotoSansGujarati_400Regular.ttf'),
      bold: () =>
        require.resolve('@expo-google-fonts/noto-sans-gujarati/700Bold/NotoSansGujarati_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Oriya}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-oriya/400Regular/NotoSansOriya_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-oriya/700Bold/NotoSansOriya_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Tamil}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-tamil/400Regular/NotoSansTamil_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-tamil/700Bold/NotoSansTamil_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Telugu}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-telugu/400Regular/NotoSansTelugu_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-telugu/700Bold/NotoSansTelugu_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Kannada}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-kannada/400Regular/NotoSansKannada_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-kannada/700Bold/NotoSansKannada_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Malayalam}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-malayalam/400Regular/NotoSansMalayalam_400Regular.ttf'),
      bold: () =>
        require.resolve('@expo-google-fonts/noto-sans-malayalam/700Bold/NotoSansMalayalam_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Sinhala}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-sinhala/400Regular/NotoSansSinhala_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-sinhala/700Bold/NotoSansSinhala_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Thai}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-thai/400Regular/NotoSansThai_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Lao}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-lao/400Regular/NotoSansLao_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-lao/700Bold/NotoSansLao_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Khmer}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-khmer/400Regular/NotoSansKhmer_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-khmer/700Bold/NotoSansKhmer_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Myanmar}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-myanmar/400Regular/NotoSansMyanmar_400Regular.ttf'),
      bold: () => require.resolve('@expo-google-fonts/noto-sans-myanmar/700Bold/NotoSansMyanmar_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Georgian}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-georgian/400Regular/NotoSansGeorgian_400Regular.ttf'),
      bold: () =>
        require.resolve('@expo-google-fonts/noto-sans-georgian/700Bold/NotoSansGeorgian_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Armenian}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-armenian/400Regular/NotoSansArmenian_400Regular.ttf'),
      bold: () =>
        require.resolve('@expo-google-fonts/noto-sans-armenian/700Bold/NotoSansArmenian_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Ethiopic}/u,
    {
      regular: () =>
        require.resolve('@expo-google-fonts/noto-sans-ethiopic/400Regular/NotoSansEthiopic_400Regular.ttf'),
      bold: () =>
        require.resolve('@expo-google-fonts/noto-sans-ethiopic/700Bold/NotoSansEthiopic_700Bold.ttf'),
    },
  ],
  [
    /\p{scx=Hangul}/u,
    inOneWeight(() =>
      require.resolve('@expo-google-fonts/noto-sans-kr/400Regular/NotoSansKR_400Regular.ttf'),
    ),
  ],
  [
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\uff00-\uffef]/u,
    inOneWeight(() =>
      require.resolve('@expo-google-fonts/noto-sans-sc/400Regular/NotoSansSC_400Regular.ttf'),
    ),
  ],
];

/** Looked through for what neither its script's face nor Latin's has. */
export const SYMBOLS: readonly Face[] = [
  {
    regular: () =>
      require.resolve('@expo-google-fonts/noto-sans-symbols/400Regular/NotoSansSymbols_400Regular.ttf'),
    bold: () => require.resolve('@expo-google-fonts/noto-sans-symbols/700Bold/NotoSansSymbols_700Bold.ttf'),
  },
  inOneWeight(() =>
    require.resolve('@expo-google-fonts/noto-sans-symbols-2/400Regular/NotoSansSymbols2_400Regular.ttf'),
  ),
  inOneWeight(() =>
    require.resolve('@expo-google-fonts/noto-sans-math/400Regular/NotoSansMath_400Regular.ttf'),
  ),
  inOneWeight(() => require.resolve('@expo-google-fonts/noto-emoji/400Regular/NotoEmoji_400Regular.ttf')),
];
