// Makes a wallet set with a fresh ciphertext each time, as the vendor's samples encrypt it.
// The ciphertext of the first one is then sent once more.
package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"os"
)

type answer struct {
	Code int `json:"code"`
	Data struct {
		PublicKey string `json:"publicKey"`
	} `json:"data"`
}

func main() {
	_, key := ask("GET", "/config/entity/publicKey", nil)
	block, _ := pem.Decode([]byte(key.Data.PublicKey))
	if block == nil {
		panic("The key has no armour.")
	}
	public, err := x509.ParsePKIXPublicKey(block.Bytes)
	must(err)
	secret, err := hex.DecodeString(os.Getenv("SERVICE_ENTITY_SECRET"))
	must(err)
	var ciphertexts []string
	for range 3 {
		sealed, err := rsa.EncryptOAEP(sha256.New(), rand.Reader, public.(*rsa.PublicKey), secret, nil)
		must(err)
		ciphertexts = append(ciphertexts, base64.StdEncoding.EncodeToString(sealed))
	}
	for _, ciphertext := range append(ciphertexts, ciphertexts[0]) {
		status, said := ask("POST", "/developer/walletSets", map[string]string{
			"idempotencyKey":         uuid(),
			"entitySecretCiphertext": ciphertext,
			"name":                   "Made by Go",
		})
		fmt.Println(len(ciphertext), status, said.Code)
	}
}

func ask(method, path string, body any) (int, answer) {
	encoded, err := json.Marshal(body)
	must(err)
	url := os.Getenv("SERVICE_ORIGIN") + "/v1/w3s" + path
	request, err := http.NewRequest(method, url, bytes.NewReader(encoded))
	must(err)
	request.Header.Set("Authorization", "Bearer "+os.Getenv("SERVICE_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	must(err)
	defer response.Body.Close()
	var said answer
	must(json.NewDecoder(response.Body).Decode(&said))
	return response.StatusCode, said
}

func uuid() string {
	bits := make([]byte, 16)
	_, err := rand.Read(bits)
	must(err)
	bits[6] = bits[6]&0x0f | 0x40
	bits[8] = bits[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", bits[:4], bits[4:6], bits[6:8], bits[8:10], bits[10:])
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}
