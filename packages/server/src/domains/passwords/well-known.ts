/** Common passwords in lower case. Only exact matches count. */
const listed = `
password passw0rd p@ssw0rd p@ssword p@ssword1 p@ssw0rd1 p@ssw0rd! password1 password! password1! password12
password123 password123! password1234 passw0rd1 passw0rd! passw0rd123 welcome1 welcome1! welcome123 welcome123!
qwertyui qwerty12 qwerty123 qwerty123! qwerty1! qwertyuiop 1qaz2wsx 1qaz2wsx! 1qaz@wsx 1q2w3e4r 1q2w3e4r! 1q2w3e4r5t
q1w2e3r4 q1w2e3r4t5 zaq12wsx zaq1@wsx !qaz2wsx !qaz@wsx qazwsxedc asdfghjk asdfghjkl zxcvbnm1 12345678 123456789
1234567890 0987654321 87654321 11111111 00000000 88888888 12341234 11223344 abcd1234 abcd1234! abc12345 abc12345!
abcdefgh a1b2c3d4 aa123456 iloveyou iloveyou1 iloveyou1! sunshine sunshine1 sunshine1! princess princess1 princess1!
football football1 football1! baseball baseball1 baseball1! superman superman1 superman1! trustno1 trustno1!
letmein1 letmein1! letmein123 letmein123! admin123 admin123! admin1234 admin1234! admin@123 admin@1234
administrator administrator1 administrator1! root1234 root1234! root@123 changeme changeme1 changeme1! changeme123
changeme123! default1 default1! secret123 secret123! secret1! test1234 test1234! test@123 test@1234 temp1234
temp1234! temporary1 temporary1! monkey123 monkey123! dragon123 dragon123! master123 master123! michael1 jennifer
computer computer1 computer1! internet internet1 internet1! whatever whatever1 starwars starwars1 starwars1!
summer2023! summer2024! summer2025! summer2026! winter2023! winter2024! winter2025! winter2026! spring2024!
spring2025! spring2026! autumn2024! autumn2025! autumn2026! january1! monday123! friday123! hello123! hello1234
company1! company123! business1! svc12345 svc@1234 database1 database1! postgres postgres1 postgres1! postgres123
`;

export const wellKnownPasswords: ReadonlySet<string> = new Set(listed.split(/\s+/).filter(Boolean));
