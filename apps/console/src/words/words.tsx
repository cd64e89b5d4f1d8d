import { useDirection } from '@mantine/core';
import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { formatsOf, type Formats } from './formats';
import { en, type Words } from './en';

/** The languages of the console. */
export const LANGUAGES = { en: 'English', ar: 'العربية' } as const;

/** One of LANGUAGES. */
export type Language = keyof typeof LANGUAGES;

/** What pages need to speak: words, and how moments, numbers and money are written. */
export interface Speech {
  readonly language: Language;
  readonly words: Words;
  readonly formats: Formats;
  setLanguage(language: Language): void;
}

const KEPT_AS = 'console.language';
const Context = createContext<Speech | undefined>(undefined);

function preferredLanguage(): Language {
  const kept = localStorage.getItem(KEPT_AS) ?? navigator.language;
  return kept.startsWith('ar') ? 'ar' : 'en';
}

/** English is in the first page's script; another language is fetched when it is chosen. */
const loadWords = async (language: Language): Promise<Words> =>
  language === 'en' ? en : (await import('./ar')).ar;

/** Has all that is below it speak the language that was chosen last in this browser, else the browser's own. */
export function Speaking({ children }: { readonly children: ReactNode }) {
  const [language, setLanguage] = useState(preferredLanguage);
  const [words, setWords] = useState<Words>();
  const { setDirection } = useDirection();
  useEffect(() => {
    let isCurrent = true;
    void loadWords(language).then((loaded) => {
      if (!isCurrent) return;
      setWords(loaded);
      setDirection(language === 'ar' ? 'rtl' : 'ltr');
      document.documentElement.lang = language;
    });
    return () => {
      isCurrent = false;
    };
  }, [language, setDirection]);
  const speech = useMemo(() => {
    if (!words) return undefined;
    return {
      language,
      words,
      formats: formatsOf(language),
      setLanguage(chosen: Language) {
        localStorage.setItem(KEPT_AS, chosen);
        setLanguage(chosen);
      },
    };
  }, [language, words]);
  return speech && <Context.Provider value={speech}>{children}</Context.Provider>;
}

/** The words and formats of the language in use. */
export function useSpeech(): Speech {
  const speech = useContext(Context);
  if (!speech) throw new Error('nothing is said outside of <Speaking>');
  return speech;
}

/** Words of one part alone, which stand beside it in every language, in the language in use. */
export function useOwn<T>(words: Readonly<Record<Language, T>>): T {
  return words[useSpeech().language];
}
