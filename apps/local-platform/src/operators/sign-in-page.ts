/** The form of the local identity provider; it works without script. */
export const signInPage = (isWrong: boolean): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Sign in</title>
    <style>body { font: 1rem system-ui; max-width: 20rem; margin: 4rem auto } label, input { display: block; width: 100%; margin: .25rem 0 1rem; box-sizing: border-box }</style>
  </head>
  <body>
    <h1>Sign in</h1>
    ${isWrong ? '<p role="alert">The user name or the password is wrong.</p>' : ''}
    <form method="post">
      <label>User name <input name="username" autocomplete="username" required></label>
      <label>Password <input name="password" type="password" autocomplete="current-password" required></label>
      <button>Sign in</button>
    </form>
    <p>User names and passwords are in platform.json.</p>
  </body>
</html>
`;
